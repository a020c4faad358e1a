import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { takeApart } from '../report/parts.ts';
import { readTlsReport } from './read.ts';
import { type KeepDeps, keepTlsReport } from './store.ts';
import { LARGEST_REPORT, packingOf, unpack } from './unpack.ts';

interface Deps extends KeepDeps {
  log: Log;
}

/**
 * Keeps the TLS report in a mail (RFC 8460 5.3). One that cannot be read is dropped, as nobody reads what we say; one that
 * is too large throws.
 */
export async function takeMailedTlsReport(deps: Deps, mime: Buffer): Promise<void> {
  const part = takeApart(mime).parts.find(({ type }) => packingOf(type) !== null);
  if (part === undefined) return deps.log.info('mail to tlsrpt without a report was dropped');
  try {
    // One octet in four of base64 is overhead, and lines end.
    const text = await unpack(packingOf(part.type) ?? 'none', part.read(2 * LARGEST_REPORT));
    await keepTlsReport(deps, readTlsReport(text));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'payload_too_large') throw error;
    deps.log.info({ reason: error.message }, 'a TLS report that cannot be read was dropped');
  }
}
