import { escapeHtml } from '../../platform/http/pages/plain-page.ts';
import { RECORDS } from '../records.ts';
import type { WrittenFile } from './manifest.ts';

const WORDS: Record<string, string> = {
  accounts: 'People, keys, agreements and the audit log',
  email: 'Messages, receipts, templates, webhooks and sending domains',
  forms: 'Forms and their versions',
  marketing: 'People, lists, consent, mailings and drips',
};

/** The page that somebody opens first: what there is, and how to read it. */
export function overviewPage(about: { name: string; username: string; at: string }, files: WrittenFile[]): string {
  const tables = Object.entries(WORDS).map(([area, title]) => section(title, tableRows(files, area)));
  const submissions = files.filter(({ path }) => /^forms\/submissions\/.*\.(csv|jsonl)$/.test(path));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Export of ${escapeHtml(about.name)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}td,th{padding:.2rem 1rem .2rem 0;text-align:left;vertical-align:top}</style>
<h1>Export of ${escapeHtml(about.name)} (${escapeHtml(about.username)})</h1>
<p>Made ${escapeHtml(about.at)}. It holds health data in the clear: keep it as you keep the records themselves.</p>
<p>Files that end in <code>.jsonl</code> hold one row a line, as JSON; <a href="schema.json">schema.json</a> tells what stands in each and what was left out. Submissions that were encrypted end to end are as they came, and open with your own identity alone. <code>sha256sum -c SHA256SUMS</code> shows that nothing was changed since; <code>manifest.json</code> is that list's hash with the signature of the installation.</p>
${section('Submissions, form by form', rowsOf(submissions))}
${tables.join('\n')}
<h2>Files</h2>
<p>Those of submissions are in <code>forms/submissions/FORM/files/SUBMISSION/</code>, signed agreements in <code>accounts/agreements/</code>, attachments of messages and all others in <code>files/</code>, under the id that the rows refer to them by.</p>
<h2>Left out</h2>
<table><tr><th>What<th>Why</tr>
${RECORDS.flatMap(({ table, notExported }) => (notExported === undefined ? [] : [`<tr><td>${table}<td>${escapeHtml(notExported)}</tr>`])).join('\n')}
</table>
</html>
`;
}

function tableRows(files: WrittenFile[], area: string): string {
  return rowsOf(files.filter(({ path }) => path.startsWith(`${area}/`) && path.split('/').length === 2));
}

function rowsOf(files: WrittenFile[]): string {
  return files
    .map(
      ({ path, rows, bytes }) =>
        `<tr><td><a href="${escapeHtml(encodeURI(path))}">${escapeHtml(path)}</a><td>${rows ?? ''}<td>${bytes}</tr>`,
    )
    .join('\n');
}

function section(title: string, rows: string): string {
  return `<h2>${title}</h2>\n<table><tr><th>File<th>Rows<th>Bytes</tr>\n${rows}\n</table>`;
}
