/** `servfail` stands for every refusal of a server to say, a signature that does not fit included. */
export type DnsFailure = 'timeout' | 'servfail' | 'malformed';

/** A question that has no answer: nobody may take it for the answer that there is no such record. */
export class DnsFailed extends Error {
  override name = 'DnsFailed';
  readonly reason: DnsFailure;

  constructor(reason: DnsFailure) {
    super(`the name could not be looked up: ${reason}`);
    this.reason = reason;
  }
}
