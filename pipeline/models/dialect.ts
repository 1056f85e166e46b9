import type { Json } from "../base/canonical.js";
import type { CallIdentity } from "./call.js";
import type { ModelSpec } from "./spec.js";
import { isStrict } from "./structured.js";
import { ProviderError } from "./transport.js";

/** How JSON is asked for, the strongest way first. */
const FORMS = ["json_schema", "json_object", "prompt"] as const;
type Form = (typeof FORMS)[number];

/** The identity's member of that name. */
interface ResponseFormat {
  readonly name: string;
  readonly schema: Json;
  readonly mode: ModelSpec["structured"];
}

/**
 * What one model at one endpoint turned out to understand. Endpoints call the same wish by different names and say so only by refusing;
 * the call's identity is what is wished for, so that learning changes no name of a call.
 */
export class Dialect {
  /** By schema, since an endpoint may take one and refuse another. */
  readonly #forms = new Map<string, Form>();
  #limit: "max_tokens" | "max_completion_tokens" = "max_tokens";

  /** Body of the request that puts this call so that the endpoint understands it. */
  body(identity: CallIdentity): Json {
    const { max_tokens, ...sampling } = identity.sampling as { readonly [key: string]: Json };
    const tools = identity.tools as readonly Json[];
    return {
      ...sampling,
      [this.#limit]: max_tokens,
      model: identity.model,
      messages: identity.messages,
      ...(tools.length > 0 ? { tools } : {}),
      ...this.#format(identity),
    };
  }

  #format({ response_format }: CallIdentity): { response_format?: Json } {
    const format = response_format as ResponseFormat | null;
    if (format === null) return {};
    const { name, schema } = format;
    switch (this.#form(format)) {
      case "json_schema":
        return {
          response_format: { type: "json_schema", json_schema: { name, schema, strict: isStrict(schema) } },
        };
      case "json_object":
        return { response_format: { type: "json_object" } };
      case "prompt":
        return {};
    }
  }

  #form({ name, mode }: ResponseFormat): Form {
    return mode === "auto" ? (this.#forms.get(name) ?? FORMS[0]) : mode;
  }

  /**
   * Learns from a refusal.
   * @param sent the body that was refused
   * @returns whether the call, sent again, would be put another way
   */
  learn(error: unknown, identity: CallIdentity, sent: Json): boolean {
    if (!(error instanceof ProviderError) || error.fault !== "bad_request") return false;
    const { message } = error;
    const body = sent as { readonly [key: string]: Json };
    if (/max_completion_tokens/.test(message) && "max_tokens" in body) {
      this.#limit = "max_completion_tokens";
      return true;
    }
    const format = identity.response_format as ResponseFormat | null;
    if (format?.mode !== "auto" || !ABOUT_FORMAT.test(message) || !("response_format" in body)) return false;
    this.#weaken(format.name, body.response_format as { readonly type: Form });
    return true;
  }

  /** One step, however many calls were refused together. */
  #weaken(name: string, refused: { readonly type: Form }): void {
    const next = FORMS.indexOf(refused.type) + 1;
    const now = FORMS.indexOf(this.#forms.get(name) ?? FORMS[0]);
    this.#forms.set(name, FORMS[Math.max(now, next)]!);
  }
}

const ABOUT_FORMAT = /response_?format|json_?schema|json_?object|structured|guided|grammar|\bschema\b/i;
