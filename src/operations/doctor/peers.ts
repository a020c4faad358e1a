import { checkRelay, onwardOf } from '../../email/index.ts';
import { createScanner } from '../../platform/net/clamd.ts';
import { type Check, failed, ok } from './check.ts';

const SCANNER_MS = 10_000;

/** Whether the virus scanner, where one is set, scans. */
export const virusScanner: Check = {
  name: 'virus-scanner',
  needs: 'nothing',
  async look({ config: { clamd } }) {
    if (clamd === null) return [ok('none is set (CAREPOST_CLAMD)')];
    const scanner = createScanner(clamd, SCANNER_MS);
    try {
      await scanner.write(Buffer.from('carepost doctor'));
      await scanner.verdict();
      return [ok('it scans')];
    } catch {
      return [failed('it does not answer: files are refused', 'start clamd, or correct CAREPOST_CLAMD')];
    } finally {
      scanner.close();
    }
  },
};

/** Whether the next hop takes mail, where mail goes by one. */
export const relay: Check = {
  name: 'relay',
  needs: 'nothing',
  async look({ config, clock }) {
    const onward = onwardOf(config, { clock });
    if (onward.mode !== 'relay') return [ok('mail does not go by a next hop')];
    const fault = await checkRelay(onward);
    return [
      fault === null ? ok('the next hop lets us in') : failed(fault, 'correct CAREPOST_RELAY_URL, or mend the hop'),
    ];
  },
};
