/** A PDF file of one line: text, a raised piece in smaller type, and text again. */
export function pdfOf(before: string, raised: string, after: string): Buffer {
  const content = `BT /F1 12 Tf 72 700 Td (${before}) Tj /F1 7 Tf 5 Ts (${raised}) Tj 0 Ts /F1 12 Tf (${after}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const places: number[] = [];
  for (const [i, object] of objects.entries()) {
    places.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = file.length;
  const entries = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  return Buffer.from(
    `${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF`,
  );
}
