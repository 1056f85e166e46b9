import { defineExporter, type FolderExporter } from "./exporter.js";

/** What stays at home: the store and the log of calls, which may hold what was never published, and other people's folders. */
const TAKEN =
  /^(?:pools|sources|manifest)\/|^(?:README\.md|manifest\.json|report\.html|report\.json|ledger\.parquet|cassette\.ndjson|network_block\.json)$/;

/** The dataset's own files: its card already names pools, splits and features for the Hub. */
export const hub = defineExporter<FolderExporter>({
  name: "hub",
  reader: "the Hugging Face Hub, and anybody who loads the dataset itself",
  pool: "all",
  notes: [
    "README.md is the dataset's card; its front matter names a config per pool and a file per split.",
    "Row groups unfold to at most 100 MB, which viewers and loaders take.",
    "Files are those that the dataset's manifest lists, byte for byte: `pipeline verify` works on this folder too.",
  ],
  takes: (file) => TAKEN.test(file),
  guide: () => `\`\`\`bash
hf upload ORGANISATION/NAME . --repo-type dataset
\`\`\`

\`\`\`python
from datasets import load_dataset
rl = load_dataset("ORGANISATION/NAME", "rl", split="train")
\`\`\``,
});
