import { escapeHtml } from '../../platform/http/pages/plain-page.ts';
import type { Section } from './section.ts';

/** Longer tables are in their files; nobody reads them in a page. */
const MOST_ROWS = 500;

const STYLE = `
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem; color: #1b2733 }
  table { border-collapse: collapse; font-size: .875rem }
  th, td { border: 1px solid #c3ccd5; padding: .2rem .5rem; text-align: left; vertical-align: top }
  th { background: #eef2f6 }
  .wide { overflow-x: auto }
  section { margin: 2.5rem 0 }`;

interface Heading {
  from: string;
  to: string;
  customers: string[];
  madeAt: string;
  fingerprint: string;
}

/** The page that a person opens first. It needs no server, runs nothing and loads nothing. */
export function overviewPage({ from, to, customers, madeAt, fingerprint }: Heading, sections: Section[]): string {
  const links = sections.map(
    ({ name, title, rows }) => `<li><a href="#${name}">${escapeHtml(title)}</a>, ${inRows(rows.length)}</li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Evidence, ${from} to ${to}</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>
<h1>Evidence, ${from} to ${to}</h1>
<p>Customers: ${escapeHtml(customers.join(', '))}. Made ${madeAt}. Signed with the key ${fingerprint}.</p>
<p>Check it with <code>carepost evidence verify-pack</code>, or the files alone with <code>sha256sum -c SHA256SUMS</code>.
Libraries and their versions: <a href="sbom.cdx.json">sbom.cdx.json</a>.</p>
<ol>${links.join('')}</ol>
${sections.map(inHtml).join('\n')}
</body></html>
`;
}

function inHtml({ name, title, about, columns, rows }: Section): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column.replaceAll('_', ' '))}</th>`).join('');
  const lines = rows.slice(0, MOST_ROWS).map((row) => {
    const cells = columns.map((column) => `<td>${escapeHtml(String(row[column] ?? ''))}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  const left = rows.length > MOST_ROWS ? `<p>The first ${MOST_ROWS} of ${rows.length}; all are in the files.</p>` : '';
  return `<section id="${name}"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}
Files: <a href="${name}.csv">${name}.csv</a>, <a href="${name}.json">${name}.json</a>.</p>
${rows.length === 0 ? '<p>None.</p>' : `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`}${left}</section>`;
}

function inRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}
