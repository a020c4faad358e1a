import { RE2JS } from 're2js';
import { AppError } from '../platform/errors.ts';
import { refuseUnstorable } from '../platform/http/body/json-body.ts';

const LONGEST = 256;

/** How long the names of one request, looked at in one go, may keep the processor busy: all others wait for that. */
const MOST_MS = 50;
const NAMES_BETWEEN = 4;

/**
 * Whether a name holds what a regular expression describes: RE2 syntax, anywhere in the name, minding case. The
 * engine takes linear time, whatever the expression; one that takes too long over all names is refused.
 */
export function namePattern(expression: string, busyMs = threadMs): (name: string) => boolean {
  const pattern = compile(expression);
  let [seen, since] = [0, 0];
  return (name) => {
    if (seen === 0) since = busyMs();
    // Asking takes as long as most names do.
    else if (seen % NAMES_BETWEEN === 0 && busyMs() - since > MOST_MS) throw refusal('takes too long');
    seen += 1;
    return pattern.test(name);
  };
}

/** What this thread has worked so far, without what others kept it from. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function refusal(rule: string): AppError {
  return new AppError('invalid_regex', `search ${rule}`, { fields: { search: [rule] } });
}

function compile(expression: string): RE2JS {
  refuseUnstorable(expression);
  if (expression.length > LONGEST) throw refusal(`takes at most ${LONGEST} characters`);
  try {
    return RE2JS.compile(expression);
  } catch {
    throw refusal('is no regular expression of the RE2 syntax');
  }
}
