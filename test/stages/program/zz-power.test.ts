import { it } from "vitest";
import { comparePrograms } from "/work/main/stages/program/compare.js";
import { tiesOf } from "/work/main/stages/program/perturb-ties.js";
import { corruptions, realTasks } from "/work/main/test/stages/program/compare-tasks.js";
it("x", async () => {
  for (const spaces of [["planets","moons"],["small-bodies"],["elements","isotopes"],["groups"],["graphs"]]) {
    let t=performance.now();
    let tasks; try { tasks = await realTasks(spaces, 1500);} catch(e){ console.log(spaces, String(e)); continue;}
    const {catalog, rows} = tasks;
    console.log(spaces, [...catalog.tables.values()].map(t=>t.rows), rows.length, (performance.now()-t).toFixed(0));
    for (const tb of catalog.tables.values()) console.log(tb.id, [...tiesOf(tb)].filter(([k,v])=>v.to!==k).map(([k,v])=>`${k}=${v.factor}*${v.to}+${v.offset}`));
    t=performance.now(); let n=0, self=0;
    const sample = rows.slice(0,80);
    for (const r of sample) { const m={program:r.program,formula:r.formula}; n++;
      const c = comparePrograms(m,{...m,digits:r.program.compute.digits},catalog,{seed:"1",key:r.id,worlds:20});
      if (c.difference) {self++; console.log(c);} }
    console.log("self", n, self, ((performance.now()-t)/n).toFixed(2),"ms/row");
    t=performance.now(); n=0;
    for (const r of sample) { const m={program:r.program,formula:r.formula}; n++;
      comparePrograms(m,{...m,digits:r.program.compute.digits},catalog,{seed:"1",key:r.id,worlds:20}); }
    console.log("again", ((performance.now()-t)/n).toFixed(2),"ms/row");
    for (const worlds of [0,1,2,5,20]) {
      const miss: Record<string, [number,number]> = {}; let all=0, seen=0; const ex:string[]=[];
      for (const r of sample.slice(0,40)) for (const c of corruptions(r.program,catalog)) {
        const m={program:r.program,formula:r.formula};
        const d = comparePrograms(m,{program:c.program,formula:r.formula,digits:c.program.compute.digits},catalog,{seed:"1",key:r.id,worlds});
        const e=(miss[c.kind]??=[0,0]); e[1]++; all++; if(d.difference) {e[0]++; seen++;} else if (worlds===20 && ex.length<6) ex.push(c.kind+JSON.stringify(r.program)+"\n    "+JSON.stringify(c.program));
      }
      console.log(worlds, `${seen}/${all}`, Object.entries(miss).map(([k,[a,b]])=>`${k} ${a}/${b}`).join("; ")); ex.forEach(x=>console.log(x));
    }
  }
}, 600000);
