import { DialFailed } from './dial-failed.ts';

/** Does work that must end in time, or throws `timeout`; the signal then closes what the work has opened. */
export async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new DialFailed('timeout'));
    controller.abort();
  }, timeoutMs);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
