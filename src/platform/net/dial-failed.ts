/**
 * Why a call came to nothing. `refused-target`: the URL, an address of its host or a header may not be
 * used, and nothing was opened. `unreachable`: no connection, whether refused, reset or without a route.
 */
export type DialFailure = 'refused-target' | 'unresolved' | 'unreachable' | 'tls' | 'timeout' | 'broken';

/** A call that came to nothing, with a reason of ours and not a word of the peer's. */
export class DialFailed extends Error {
  override name = 'DialFailed';
  readonly reason: DialFailure;

  constructor(reason: DialFailure) {
    super(`the call failed: ${reason}`);
    this.reason = reason;
  }
}
