import { CertificateBroken } from '../../check/broken.ts';
import { checkCertificate, readFingerprints } from '../../check/check-certificate.ts';
import { tellCertificate } from '../../check/in-words.ts';

const LARGEST = 64 * 2 ** 20;

const file = document.querySelector<HTMLInputElement>('#file');
const key = document.querySelector<HTMLInputElement>('#key');
const verdict = document.querySelector<HTMLElement>('#verdict');

file?.addEventListener('change', () => void look());
key?.addEventListener('change', () => void look());

/** Checks the file that was chosen. It is read here and goes nowhere. */
async function look(): Promise<void> {
  const chosen = file?.files?.[0];
  if (chosen === undefined) return;
  const text = key?.value.trim() ?? '';
  const known = text === '' ? null : readFingerprints(text);
  if (text !== '' && known === null)
    return show('bad', 'NOT CHECKED', ['The fingerprint is not one: each has 64 digits, with a comma between two.']);
  if (chosen.size > LARGEST) return show('bad', 'NOT CHECKED', ['The file is too large for a certificate.']);
  show('', 'Checking …', []);
  try {
    const checked = await checkCertificate(new Uint8Array(await chosen.arrayBuffer()), known);
    show(checked.isCompared ? 'good' : 'open', checked.isCompared ? 'GENUINE' : 'UNCHANGED', tellCertificate(checked));
  } catch (error) {
    const reason = error instanceof CertificateBroken ? error.message : 'the file cannot be read';
    show('bad', 'NOT GENUINE', [`This is not proved: ${reason}.`]);
  }
}

function show(kind: string, title: string, lines: string[]): void {
  if (verdict === null) return;
  const heading = document.createElement('h2');
  heading.textContent = title;
  const told = lines.map((line) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    return paragraph;
  });
  verdict.className = kind;
  verdict.replaceChildren(heading, ...told);
}
