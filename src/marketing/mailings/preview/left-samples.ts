import { SAMPLES } from '../content/samples.ts';
import type { MailingProblem } from './problem.ts';

/** The domains that are kept for examples, so that nobody's own site is there (RFC 2606). */
const EXAMPLES = String.raw`https?:\/\/(?:[\w-]+\.)*(example\.(?:com|net|org))(?![\w.-])`;
const LINK = new RegExp(String.raw`\bhref="\s*${EXAMPLES}`, 'gi');
const PICTURE = new RegExp(String.raw`\bsrc="\s*${EXAMPLES}`, 'gi');

/** What a mailing still says because nobody has put their own there. */
export function leftSamples(html: string): MailingProblem[] {
  return [
    ...[SAMPLES.text, SAMPLES.alt]
      .filter((sample) => html.includes(sample))
      .map((sample) => warn(`The mail still says “${sample}”. Put your own words there.`)),
    ...domainsIn(html, LINK).map((domain) => warn(`A link or button leads to ${domain}. Put your own address there.`)),
    ...domainsIn(html, PICTURE).map((domain) => warn(`A picture comes from ${domain}. Put your own picture there.`)),
    ...(html.includes(SAMPLES.address)
      ? [warn(`The footer still says “${SAMPLES.address}”. Laws ask for your postal address in every mailing.`)]
      : []),
  ];
}

function domainsIn(html: string, pattern: RegExp): string[] {
  return [...new Set([...html.matchAll(pattern)].flatMap(([, domain]) => domain?.toLowerCase() ?? []))];
}

function warn(message: string): MailingProblem {
  return { field: 'body', severity: 'warning', message };
}
