import type { Service } from "./backend.js";
import { brave } from "./brave.js";
import { searxng } from "./searxng.js";
import { serper } from "./serper.js";
import { tavily } from "./tavily.js";

/** Search services by the name that a config gives them. */
export const services: ReadonlyMap<string, Service> = new Map(
  [searxng, brave, serper, tavily].map((service) => [service.name, service]),
);
