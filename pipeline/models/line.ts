import type { Clock } from "../base/clock.js";
import type { OnCallEvent } from "./call-events.js";
import { Dialect } from "./dialect.js";
import { Health } from "./health.js";
import { Limiter, narrowest } from "./limiter.js";
import type { Role } from "./role.js";
import type { Transport } from "./transport.js";

/** A role with its way to the endpoint. */
export interface Line {
  readonly role: Role;
  readonly transport: Transport;
  /** Shared by the roles of an endpoint. */
  readonly limiter: Limiter;
  /** Shared by the roles of a model at an endpoint. */
  readonly dialect: Dialect;
  readonly health: Health;
}

export interface LineOptions {
  readonly roles: ReadonlyMap<string, Role>;
  readonly transport: (role: Role) => Transport;
  readonly clock: Clock;
  readonly onEvent: OnCallEvent;
}

/** Lines of the roles that are on. */
export function openLines({ roles, transport, clock, onEvent }: LineOptions): Map<string, Line> {
  const on = [...roles.values()].filter((role) => !role.off);
  const limiters = new Map<string, Limiter>();
  for (const { identity } of on) {
    const { endpoint } = identity;
    if (limiters.has(endpoint)) continue;
    const sharing = on.filter((role) => role.identity.endpoint === endpoint);
    const limits = narrowest(sharing.map((role) => role.spec.limits));
    limiters.set(
      endpoint,
      new Limiter(limits, clock, (seconds) => {
        const until = clock.now() + seconds * 1000;
        onEvent({ type: "waiting", endpoint, until, seconds, why: "it refuses calls as too many for now" });
      }),
    );
  }
  const dialects = new Map<string, Dialect>();
  const lines = new Map<string, Line>();
  for (const role of on) {
    const { endpoint, model } = role.identity;
    const name = JSON.stringify([endpoint, model]);
    const dialect = dialects.get(name) ?? new Dialect();
    dialects.set(name, dialect);
    const limiter = limiters.get(endpoint)!;
    lines.set(role.name, { role, transport: transport(role), limiter, dialect, health: new Health() });
  }
  return lines;
}
