import type { DomainDns } from '../../src/email/index.ts';
import type { Reply } from '../support/app.ts';

/** A name system that holds what a test publishes, and may fail. */
export interface FakeDns extends DomainDns {
  /** Everything there is, by type and name. */
  records: Map<string, string[]>;
  isDown: boolean;
  publish(type: string, name: string, ...values: string[]): void;
}

export function createFakeDns(): FakeDns {
  const records = new Map<string, string[]>();
  const answer = async (type: string, name: string) => {
    if (dns.isDown) throw new Error('no answer');
    const found = records.get(`${type} ${name}`) ?? [];
    return { records: found, exists: found.length > 0 };
  };
  const dns: FakeDns = {
    records,
    isDown: false,
    publish: (type, name, ...values) => void records.set(`${type} ${name}`, values),
    txt: (name) => answer('TXT', name),
    cname: (name) => answer('CNAME', name),
  };
  return dns;
}

/** Does what a clinic does with the records that it is shown. */
export function publishAll(dns: FakeDns, domain: Reply['body'], purposes?: string[]): void {
  for (const { purpose, type, name, value } of domain.records) {
    if (purposes?.includes(purpose) !== false) dns.publish(type, name, value);
  }
}
