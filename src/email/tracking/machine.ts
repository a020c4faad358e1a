/** What a request says about who makes it; looked at and dropped. */
export interface Visit {
  method: string;
  userAgent: string;
  /** The Purpose, Sec-Purpose or X-Moz header of a fetch ahead of time. */
  purpose: string;
}

// Apple's mail privacy fetches every picture at delivery under this bare name.
const APPLE_PREFETCH = /^Mozilla\/5\.0$/;
const SCANNERS =
  /bot\b|crawl|spider|scan|preview|prefetch|barracuda|proofpoint|mimecast|messagelabs|symantec|trendmicro|fireeye|fortinet|sophos|forcepoint|ironport|checkpoint|urlprotect|safelinks|slurp|facebookexternalhit|whatsapp|headlesschrome|phantomjs/i;

/** Whether a visit is one that machines are known to make: mail filters, link scanners, pictures fetched ahead. */
export function isMachine({ method, userAgent, purpose }: Visit): boolean {
  return (
    method === 'HEAD' ||
    /prefetch|preview/i.test(purpose) ||
    APPLE_PREFETCH.test(userAgent.trim()) ||
    SCANNERS.test(userAgent)
  );
}
