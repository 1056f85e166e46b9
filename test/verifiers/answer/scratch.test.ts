import { it } from "vitest";
import { numberAt } from "../../../verifiers/answer/number.js";
import { notationOf } from "../../../verifiers/answer/language.js";
it("x",()=>{ for (const t of ["10^(10^10)","10^(10^(10^10))","10^10","(10^10)"]) console.log(t, numberAt(t,0,notationOf("en"))); });
