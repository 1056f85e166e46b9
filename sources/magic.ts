import { sourceError } from "./problems.js";

const UNPACK = "unpack it first; gzip and zstd are read as they are";
const EXPORT = "save its table as CSV, and give that";

/** First bytes of files that hold no table which could be read here: what they are, and what to do. */
const KINDS: readonly (readonly [start: string, what: string, hint: string])[] = [
  ["PK\x03\x04", "a ZIP archive, as .xlsx and .ods are too", `of a workbook, ${EXPORT}; else ${UNPACK}`],
  ["PK\x05\x06", "a ZIP archive, and empty", UNPACK],
  ["BZh91AY&SY", "packed with bzip2", UNPACK],
  ["\xfd7zXZ\0", "packed with xz", UNPACK],
  ["\x04\x22\x4d\x18", "packed with LZ4", UNPACK],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK],
  ["Rar!\x1a\x07", "a RAR archive", UNPACK],
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document, as .xls is", EXPORT],
  ["%PDF-", "a PDF document", "get the table that it shows in another format: CSV, JSON, XML"],
  ["{\\rtf", "a word processor's document (RTF)", EXPORT],
  ["\x89PNG\r\n", "a picture (PNG)", EXPORT],
  ["\xff\xd8\xff", "a picture (JPEG)", EXPORT],
  ["GIF87a", "a picture (GIF)", EXPORT],
  ["GIF89a", "a picture (GIF)", EXPORT],
  ["\x89HDF\r\n\x1a\n", "an HDF5 file", EXPORT],
  ["CDF\x01", "a NetCDF file", EXPORT],
  ["CDF\x02", "a NetCDF file", EXPORT],
  ["SIMPLE  =", "a FITS file", EXPORT],
  ["Obj\x01", "an Avro file", EXPORT],
  ["\xff\xfe\0\0", "UTF-32", "save it as UTF-8: iconv -f UTF-32 -t UTF-8"],
  ["\0\0\xfe\xff", "UTF-32", "save it as UTF-8: iconv -f UTF-32 -t UTF-8"],
];
const TAR_AT = 257;

/** @throws TaskmillError (source) `binary_data` for the start of a file that is known to be no table, nor text. */
export function refuseKnownKinds(head: Uint8Array, name: string): void {
  const start = Buffer.from(head.subarray(0, TAR_AT + 5)).toString("latin1");
  const tar = start.startsWith("ustar", TAR_AT) ? (["", "a tar archive", UNPACK] as const) : undefined;
  const kind = tar ?? KINDS.find(([mark]) => start.startsWith(mark));
  if (kind === undefined) return;
  const [, what, hint] = kind;
  sourceError("binary_data", `${name} is ${what}, and no table that could be read`, { hint });
}
