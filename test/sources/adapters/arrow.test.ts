import { fileURLToPath } from "node:url";
import {
  CompressionType,
  compressionRegistry,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  TimeMicrosecond,
  TimestampNanosecond,
  TimestampSecond,
  tableToIPC,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { arrowLayout } from "../../../sources/profile/layout/arrow.js";
import { openSnapshot } from "../../../sources/snapshot.js";
import { failure } from "../helper.js";
import { cellsOf, recordsOf } from "./helper.js";

const arrow = { format: "arrow" };
const tableOf = (columns: Record<string, Vector>): Table => new Table(columns);
const both = (table: Table): [string, Uint8Array][] => [
  ["a stream", tableToIPC(table, "stream")],
  ["a file", tableToIPC(table, "file")],
];

const le = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);

/** A frame of one block that repeats one byte; other buffers are given back longer, which leaves them unpacked. */
function lz4(data: Uint8Array): Uint8Array {
  const same = data.length > 300 && data.every((b) => b === data[0]);
  if (!same)
    return Uint8Array.from([
      4,
      0x22,
      0x4d,
      0x18,
      0x60,
      0x40,
      0x82,
      ...le(data.length + 2 ** 31, 4),
      ...data,
      0,
      0,
      0,
      0,
    ]);
  // One literal, a match that copies it over and over (its length less 4 and 15, in bytes of up to 255), five literals.
  const more = data.length - 6 - 4 - 15;
  const lengths = [...new Array<number>(Math.floor(more / 255)).fill(255), more % 255];
  const block = [0x1f, data[0]!, 1, 0, ...lengths, 0x50, ...data.subarray(0, 5)];
  return Uint8Array.from([
    4,
    0x22,
    0x4d,
    0x18,
    0x60,
    0x40,
    0x82,
    ...le(block.length, 4),
    ...block,
    0,
    0,
    0,
    0,
  ]);
}

/** A frame of one block of a repeated byte, or of the bytes as they are. */
function zstd(data: Uint8Array): Uint8Array {
  const same = data.length > 300 && data.every((b) => b === data[0]);
  const block = [...le(data.length * 8 + (same ? 3 : 1), 3), ...(same ? data.subarray(0, 1) : data)];
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...le(data.length, 4), ...block]);
}

/** The library's writer puts a buffer's packed length before it, where the format asks for the unpacked one. */
function withUnpackedLengths(bytes: Uint8Array, packed: Uint8Array, length: number): Buffer {
  const at = Buffer.from(bytes).indexOf(Buffer.from([...le(packed.length, 8), ...packed]));
  expect(at).toBeGreaterThan(0);
  const out = Buffer.from(bytes);
  out.set(le(length, 8), at);
  return out;
}

/** A file as other libraries write it: a whole stream, and then a footer. (This one's files leave the schema to the footer.) */
function fileOf(stream: Buffer, other: Uint8Array): Buffer {
  const schema = 8 + stream.readInt32LE(4);
  const end = other.length - 10;
  const footer = Buffer.from(other.subarray(end - Buffer.from(other).readInt32LE(end)));
  const metadata = 8 + stream.readInt32LE(schema + 4);
  const block = footer.indexOf(Buffer.from([...le(8, 8), ...le(metadata, 4)]));
  expect(block).toBeGreaterThan(0);
  footer.set(le(8 + schema, 8), block);
  return Buffer.concat([Buffer.from("ARROW1\0\0"), stream, footer]);
}

const SCALARS = tableOf({
  id: vectorFromArray(["a", "é\u{1FA90}", null], new Utf8()),
  kind: vectorFromArray(["x", "y", "x"], new Dictionary(new Utf8(), new Int32())),
  long: vectorFromArray([9223372036854775807n, -1n, null], new Int64()),
  unsigned: vectorFromArray([18446744073709551615n, 0n, 1n], new Uint64()),
  double: vectorFromArray([0.1, 36, 1e-5], new Float64()),
  float: vectorFromArray([0.1, 16777216, 3.4028234663852886e38], new Float32()),
  yes: vectorFromArray([true, false, null]),
  day: vectorFromArray([0, 15904, -719163], new DateDay()).memoize(),
});

describe("Arrow", () => {
  it.each(both(SCALARS))("reads %s, every value whole", async (_, bytes) => {
    const wanted = ["id", "kind", "long", "unsigned", "double", "float", "yes"];
    expect(await cellsOf(bytes, arrow, wanted)).toEqual([
      ["a", "x", "9223372036854775807", "18446744073709551615", "0.1", "0.1", "true"],
      ["é\u{1FA90}", "y", "-1", "0", "36.0", "16777216.0", "false"],
      [null, "x", null, "1", "1e-05", "3.4028235e+38", null],
    ]);
  });

  it("reads decimals, dates, times and timestamps to their last digit", async () => {
    const of = (
      type: Decimal | DateDay | DateMillisecond | TimestampNanosecond | TimestampSecond | TimeMicrosecond,
      data: Uint32Array | Int32Array | BigInt64Array,
    ): Vector => new Vector([makeData({ type, length: 2, data } as Parameters<typeof makeData>[0])]);
    const table = tableOf({
      price: of(
        new Decimal(2, 9),
        new Uint32Array([150, 0, 0, 0, 0xfffffffb, 0xffffffff, 0xffffffff, 0xffffffff]),
      ),
      day: of(new DateDay(), new Int32Array([15904, -719528])),
      ms: of(new DateMillisecond(), new BigInt64Array([86_400_000n * 15904n, -1n])),
      fine: of(new TimestampNanosecond(null), new BigInt64Array([1374163200123456789n, -1n])),
      zoned: of(new TimestampSecond("Europe/Paris"), new BigInt64Array([1374163200n, 0n])),
      clock: of(new TimeMicrosecond(), new BigInt64Array([3_661_250_000n, 0n])),
    });
    expect(await cellsOf(tableToIPC(table), arrow, ["price", "day", "ms", "fine", "zoned", "clock"])).toEqual(
      [
        [
          "1.50",
          "2013-07-18",
          "2013-07-18",
          "2013-07-18 16:00:00.123456789",
          "2013-07-18 16:00:00+00",
          "01:01:01.25",
        ],
        [
          "-0.05",
          "0001-01-01 (BC)",
          "1969-12-31",
          "1969-12-31 23:59:59.999999999",
          "1970-01-01 00:00:00+00",
          "00:00:00",
        ],
      ],
    );
  });

  const point = new Struct([new Field("lat", new Float64()), new Field("lon", new Float64())]);
  const nested = tableOf({
    place: vectorFromArray([{ lat: 1.5, lon: 2 }, null], point),
    xs: vectorFromArray([[1, 2], [3]], new List(new Field("item", new Int32()))),
    pair: vectorFromArray(
      [
        [1, 2],
        [3, 4],
      ],
      new FixedSizeList(2, new Field("item", new Int32())),
    ),
    "place.lat": vectorFromArray(["whole", "name"], new Utf8()),
  });

  it.each(both(nested))("reads what is inside columns of %s by its path", async (_, bytes) => {
    expect(await cellsOf(bytes, arrow, ["place.lon", "xs.1", "pair.1", "place.lat", "pair.7"])).toEqual([
      ["2.0", "2", "2", "whole", null],
      [null, null, "4", "name", null],
    ]);
    for (const [field, code] of [
      ["place", "nested_field"],
      ["xs", "nested_field"],
      ["place.height", "unknown_field"],
      ["xs.first", "unknown_field"],
      ["nothing", "unknown_field"],
    ] as const) {
      const error = await failure(recordsOf(bytes, arrow, [field]));
      expect(error.problems.map((p) => p.code)).toEqual([code]);
    }
  });

  it.each([
    ["LZ4", CompressionType.LZ4_FRAME, lz4],
    ["zstd", CompressionType.ZSTD, zstd],
  ])("unpacks buffers packed with %s, in streams and files", async (_, compressionType, encode) => {
    compressionRegistry.set(compressionType, { encode });
    const names = Array.from({ length: 500 }, (_, i) => `k${i}`);
    const table = tableOf({
      id: vectorFromArray(names, new Utf8()),
      v: vectorFromArray(
        names.map(() => 7n * 0x0101010101010101n),
        new Int64(),
      ),
    });
    const bytes = RecordBatchStreamWriter.writeAll(table, { compressionType }).toUint8Array(true);
    const stream = withUnpackedLengths(bytes, encode(new Uint8Array(4000).fill(7)), 4000);
    const file = RecordBatchFileWriter.writeAll(table, { compressionType }).toUint8Array(true);
    for (const content of [stream, fileOf(stream, file)]) {
      const cells = await cellsOf(content, arrow, ["id", "v"]);
      expect(cells).toEqual(names.map((name) => [name, "506381209866536711"]));
    }
  });

  it("lists the fields of a packed file with a dictionary, before any other was read", async () => {
    const path = fileURLToPath(new URL("../../fixtures/adapters/dictionary-lz4.arrow", import.meta.url));
    compressionRegistry.set(CompressionType.LZ4_FRAME, {});
    const { fields } = await arrowLayout(await openSnapshot(path));
    expect(fields.map((f) => f.name)).toEqual(["a", "b"]);
  });

  it("numbers records across batches", async () => {
    const part = (n: number): Table => tableOf({ id: vectorFromArray([`k${n}`, `l${n}`], new Utf8()) });
    const bytes = tableToIPC(part(1).concat(part(2), part(3)), "stream");
    expect(await recordsOf(bytes, arrow, ["id"])).toMatchObject([
      { record: 1, fields: ["k1"] },
      { record: 2 },
      { record: 3, fields: ["k2"] },
      { record: 4 },
      { record: 5 },
      { record: 6, fields: ["l3"] },
    ]);
  });

  it("refuses two columns of one name, where one of them is wanted", async () => {
    const type = new Int32();
    const schema = new Schema([new Field("v", type), new Field("v", type), new Field("w", type)]);
    const child = makeData({ type, length: 1, data: new Int32Array([7]) });
    const struct = makeData({ type: new Struct(schema.fields), length: 1, children: [child, child, child] });
    const bytes = tableToIPC(new Table(schema, [new RecordBatch(schema, struct)]));
    expect(await cellsOf(bytes, arrow, ["w"])).toEqual([["7"]]);
    const error = await failure(recordsOf(bytes, arrow, ["v"]));
    expect(error.problems[0]!.code).toBe("duplicate_header");
  });

  it.each([
    ["another file", Buffer.from("id,v\na,1\n")],
    ["a mark alone", Buffer.from("ARROW1\0\0")],
    ["half a file", Buffer.from(tableToIPC(SCALARS, "file").subarray(0, 700))],
    ["half a stream", Buffer.from(tableToIPC(SCALARS, "stream").subarray(0, 1500))],
    ["a message of two gigabytes", Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3])],
  ])("says that it cannot read %s", async (_, bytes) => {
    const error = await failure(recordsOf(bytes, arrow, ["id"]));
    expect(error.problems.map((p) => p.code)).toEqual(["bad_arrow"]);
  });

  it("refuses bytes that are no text, and codes beyond their dictionary", async () => {
    const bad = makeData({
      type: new Utf8(),
      length: 1,
      valueOffsets: new Int32Array([0, 1]),
      data: new Uint8Array([0xff]),
    });
    const latin = await failure(recordsOf(tableToIPC(tableOf({ id: new Vector([bad]) })), arrow, ["id"]));
    expect(latin.message).toContain("not UTF-8");
    const codes = makeData({
      type: new Dictionary(new Utf8(), new Int32()),
      length: 1,
      data: new Int32Array([5]),
      dictionary: vectorFromArray(["a"], new Utf8()),
    });
    const beyond = await failure(recordsOf(tableToIPC(tableOf({ id: new Vector([codes]) })), arrow, ["id"]));
    expect(beyond.message).toContain("not in its dictionary");
  });

  it.each(both(SCALARS))(
    "ends with an error or with cells, whichever byte of %s is wrong",
    async (_, bytes) => {
      for (let at = 0; at < bytes.length; at += 13) {
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 0x7f;
        try {
          await cellsOf(flipped, arrow, ["id", "kind", "long", "double"]);
        } catch (error) {
          expect(error).toMatchObject({ name: "TaskmillError", kind: "source" });
        }
      }
    },
  );
});
