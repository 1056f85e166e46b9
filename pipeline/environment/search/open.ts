import { type Clock, systemClock } from "../../base/clock.js";
import type { ToolContext } from "../tool.js";
import type { Backend } from "./backend.js";
import { localBackend } from "./local.js";
import { services } from "./services.js";
import { serviceBackend } from "./web.js";

/**
 * The backend that a config names.
 * @throws TaskmillError (config) for a local backend without documents or a SearXNG without address, (provider) for a missing key
 */
export function openBackend(context: ToolContext, clock: Clock = systemClock): Backend {
  const service = services.get(context.spec.search.backend);
  return service === undefined ? localBackend(context) : serviceBackend(service, context, clock);
}
