import { escapeHtml } from '../../../platform/http/pages/plain-page.ts';
import { CODE_DIGITS, CODE_MINUTES } from '../../../platform/one-time-codes/rules.ts';
import { domainOf } from '../../submission/address.ts';
import type { Pickup } from '../find-pickup.ts';
import { dayInWords } from './dates.ts';
import { type Page, page } from './shell.ts';

interface Entrance {
  token: string;
  pickup: Pickup;
  /** Whether a code was sent and waits to be entered. */
  awaited: boolean;
  /** What went wrong just now, in words. */
  problem?: string;
}

/** Where the link of a notice leads: says whom the message is from, sends a code and takes it. */
export function entrancePage({ token, pickup, awaited, problem }: Entrance): Page {
  const domain = escapeHtml(domainOf(pickup.fromAddress));
  const said = problem === undefined ? '' : `<p class="error" role="alert" id="problem">${escapeHtml(problem)}</p>`;
  return page(
    'A secure message for you',
    `<p><strong>${domain}</strong> has sent you a message. It can be read here until ${dayInWords(pickup.expiresAt)}.</p>
${said}
${awaited ? codeForm(token, problem !== undefined) : ''}
${askForm(token, awaited)}`,
  );
}

function codeForm(token: string, wrong: boolean): string {
  return `<form method="post" action="/pickup/${token}/open">
<p>We have sent a code to the address that the notice came to. It is valid for ${CODE_MINUTES} minutes.</p>
<label for="code">Code of ${CODE_DIGITS} digits</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required${wrong ? ' aria-invalid="true" aria-describedby="problem"' : ''}>
<button>Open the message</button>
</form>`;
}

function askForm(token: string, awaited: boolean): string {
  const words = awaited
    ? '<p class="hint">Nothing came? Look among unwanted mail, or ask for another code; the one before is then void.</p>'
    : '<p>To make sure that it is you, we send a one-time code to the address that the notice came to.</p>';
  return `<form method="post" action="/pickup/${token}/code">
${words}
<button${awaited ? ' class="quiet"' : ''}>${awaited ? 'Send me another code' : 'Send me a code'}</button>
</form>`;
}
