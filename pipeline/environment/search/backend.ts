import type { Fault } from "../../models/transport.js";

/** A result as an agent may see it, if the firewall lets it. */
export interface Found {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly licence?: string;
}

export interface FoundPage {
  readonly results: readonly Found[];
  /** Whether there seems to be another page. */
  readonly more: boolean;
}

/** Where results come from. */
export interface Backend {
  /**
   * @param page from 1
   * @throws TaskmillError (provider) when no answer can be had
   */
  search(query: string, page: number): Promise<FoundPage>;
}

/** What is asked of a service. */
export interface Ask {
  readonly query: string;
  /** From 1. */
  readonly page: number;
  /** Results a page. */
  readonly results: number;
  readonly key: string | undefined;
}

export interface ServiceRequest {
  /** Below the base address. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; GET without it. */
  readonly body?: unknown;
}

/** A search service: one declaration, one file, one line of `services.ts`. */
export interface Service {
  readonly name: string;
  /** undefined for what one runs oneself. */
  readonly base: string | undefined;
  /** The environment variable that holds the key, unless the config names another; undefined where none is needed. */
  readonly keyVariable: string | undefined;
  /** The service's own answers (made up from pages of any host) are asked to be off, where they can be. */
  request(ask: Ask): ServiceRequest;
  /** The results in a body, and nothing else of it; undefined for a body of another form. */
  read(body: unknown, ask: Ask): FoundPage | undefined;
  /** What an error answer means where its status alone does not say it. */
  fault?(status: number, body: unknown): { readonly fault: Fault; readonly hint?: string } | undefined;
}
