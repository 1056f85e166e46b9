/** How a download goes on, for who watches it. */
export type FetchEvent =
  | {
      readonly type: "page";
      /** Pages that are here, and how many there will be, where that is known. */
      readonly done: number;
      readonly pages?: number;
      readonly records: number;
      readonly total?: number;
      readonly bytes: number;
      /** `kept`: from before a kill; `unchanged`: the server said that it is the same as last time. */
      readonly how: "new" | "kept" | "unchanged";
    }
  /** All requests are kept back, as the server asks. */
  | { readonly type: "wait"; readonly seconds: number; readonly why: string }
  | {
      readonly type: "retry";
      readonly page: number;
      readonly attempt: number;
      readonly seconds: number;
      readonly why: string;
    }
  | { readonly type: "note"; readonly message: string };
