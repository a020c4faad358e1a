/** What DNS says about a name: no records where it says that there are none; a failure to ask is thrown. */
export interface DnsAnswer {
  records: string[];
  exists: boolean;
}

/** The questions that checking a sending domain asks. */
export interface DomainDns {
  /** The TXT records of a name, the strings of each joined. */
  txt(name: string): Promise<DnsAnswer>;
  cname(name: string): Promise<DnsAnswer>;
}
