import { SAMPLES } from '../content/samples.ts';
import { findStartTags } from '../content/start-tags.ts';
import type { MailingProblem } from './problem.ts';

/** The domains that are kept for examples, so that nobody's own site is there (RFC 2606). */
const EXAMPLE = /^\s*https?:\/\/(?:[\w-]+\.)*(example\.(?:com|net|org))(?![\w.-])/i;

/** What a mailing still says because nobody has put their own there. */
export function leftSamples(html: string): MailingProblem[] {
  return [
    ...[SAMPLES.text, SAMPLES.alt]
      .filter((sample) => html.includes(sample))
      .map((sample) => warn(`The mail still says “${sample}”. Put your own words there.`)),
    ...domainsIn(html, 'href').map((domain) =>
      warn(`A link or button leads to ${domain}. Put your own address there.`),
    ),
    ...domainsIn(html, 'src').map((domain) => warn(`A picture comes from ${domain}. Put your own picture there.`)),
    ...(html.includes(SAMPLES.address)
      ? [warn(`The footer still says “${SAMPLES.address}”. Laws ask for your postal address in every mailing.`)]
      : []),
  ];
}

function domainsIn(html: string, name: 'href' | 'src'): string[] {
  const values = findStartTags(html).map(({ attributes }) => attributes.get(name)?.value ?? '');
  return [...new Set(values.flatMap((value) => EXAMPLE.exec(value)?.[1]?.toLowerCase() ?? []))];
}

function warn(message: string): MailingProblem {
  return { field: 'body', severity: 'warning', message };
}
