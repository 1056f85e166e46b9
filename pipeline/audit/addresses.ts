import { join } from "node:path";
import { auditUrls } from "../../verifiers/firewall/audit.js";
import type { Firewall } from "../../verifiers/firewall/firewall.js";
import { firewallFor } from "../environment/firewall.js";
import { environmentOf, environmentSpec } from "../environment/spec.js";
import { CASSETTE } from "../finish.js";
import type { ObservationRecord } from "../models/call.js";
import { openPlain } from "../models/cassette-lines.js";
import { misnamed, scanShipped } from "../models/cassette-read.js";
import type { Dataset } from "./dataset.js";
import type { AuditFinding } from "./finding.js";

/** Blocked content that a recorded observation shows. */
export interface Served {
  readonly url: string;
  readonly rule: string;
}

export interface Addresses {
  /** The dataset's own wall, made again from its cards, its tables and its config. */
  readonly firewall: Firewall;
  readonly observations: number;
  /** All that have to do with an observation, judged. */
  readonly addresses: number;
  /** By observation; those that show nothing blocked are not in it. */
  readonly served: ReadonlyMap<string, readonly Served[]>;
  readonly findings: readonly AuditFinding[];
}

/** Judges every address of every recorded observation again, and whether its text is a copy of a construction table. */
export async function judgeAddresses(dataset: Dataset): Promise<Addresses> {
  const firewall = wallOf(dataset);
  const served = new Map<string, readonly Served[]>();
  const findings: AuditFinding[] = [];
  let observations = 0;
  let addresses = 0;
  const look = (record: ObservationRecord): void => {
    observations++;
    addresses += record.observation.urls.length;
    const why = misnamed(record);
    if (why !== undefined) {
      findings.push({
        code: "observation_misnamed",
        where: CASSETTE,
        message: `${record.key.slice(0, 12)}: ${why}`,
      });
      return;
    }
    const found = servedBy(record, firewall);
    if (found.length > 0) served.set(record.key, found);
  };
  const file = await openPlain(join(dataset.dir, CASSETTE), true);
  if (file !== undefined) {
    try {
      // Damaged lines are the business of the pass over calls.
      await scanShipped(
        file,
        (record) => void ("tool" in record && look(record)),
        () => {},
      );
    } finally {
      await file.close();
    }
  }
  return { firewall, observations, addresses, served, findings };
}

function wallOf({ manifest, catalog }: Dataset): Firewall {
  const spec = environmentOf(manifest.config.resolved) ?? environmentSpec.parse({});
  const cards = [...catalog.tables.values()].map(({ card }) => card);
  return firewallFor({ spec, cards, catalog });
}

function servedBy({ observation }: ObservationRecord, firewall: Firewall): Served[] {
  const { served } = auditUrls([observation], firewall);
  const page = observation.urls.find(({ how }) => how === "served");
  const copy = page === undefined ? undefined : firewall.copies(observation.text, page.url);
  return copy === undefined ? [...served] : [...served, { url: page!.url, rule: copy }];
}
