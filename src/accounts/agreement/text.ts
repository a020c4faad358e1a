/** Changes whenever a word of the text does: whoever signs says which version they read. */
export const AGREEMENT_VERSION = '2026-1';

/** Who the text is about. */
export interface Parties {
  /** The covered entity. */
  customer: string;
  /** Whoever runs this installation: the business associate. */
  operator: string;
}

export interface AgreementSection {
  heading: string;
  paragraphs: string[];
}

export interface AgreementText {
  version: string;
  title: string;
  /** What the parties have to know before they rely on it. */
  notice: string;
  sections: AgreementSection[];
}

/**
 * The business associate agreement between a customer and whoever runs the installation, with what 45 CFR 164.504(e)(2)
 * and 164.314(a)(2) ask for.
 */
export function agreementText(parties: Parties): AgreementText {
  return {
    version: AGREEMENT_VERSION,
    title: 'Business Associate Agreement',
    notice:
      'This is a form. It contains the provisions that 45 CFR 164.504(e)(2) and 164.314(a)(2) require, but it is no ' +
      'legal advice: have it checked by counsel of both parties before you sign it.',
    sections: SECTIONS.map(({ heading, paragraphs }) => ({
      heading,
      paragraphs: paragraphs.map((text) => naming(text, parties)),
    })),
  };
}

/** In one pass and without patterns, so that a name stands there as it is, whatever signs it has in it. */
function naming(text: string, { customer, operator }: Parties): string {
  return text.replace(/\{(?:customer|operator)\}/g, (place) => (place === '{customer}' ? customer : operator));
}

/** The whole text as one string, of which the signed document names the hash. */
export function plainText({ version, title, notice, sections }: AgreementText): string {
  const parts = sections.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]);
  return [`${title}, version ${version}`, notice, ...parts].join('\n\n');
}

const SECTIONS: AgreementSection[] = [
  {
    heading: '1. The parties',
    paragraphs: [
      'This agreement is between {customer} (the "Covered Entity") and {operator}, who operates this installation of ' +
        'Carepost (the "Business Associate"). It applies to all protected health information that the Business ' +
        'Associate creates, receives, maintains or transmits on behalf of the Covered Entity by means of the ' +
        'installation (the "PHI").',
      'Words that are defined in 45 CFR Parts 160 and 164 (the "HIPAA Rules") have the meaning given there.',
    ],
  },
  {
    heading: '2. Permitted uses and disclosures',
    paragraphs: [
      '2.1 The Business Associate may use and disclose PHI only to provide the service: to publish forms of the Covered ' +
        'Entity, to receive and keep what is submitted by them, to keep lists of subscribers, and to send email on its ' +
        'behalf; as this agreement permits; or as required by law.',
      '2.2 The Business Associate may not use or disclose PHI in a way that would violate Subpart E of 45 CFR Part 164 ' +
        'if the Covered Entity did so, except that it may use PHI for its own proper management and administration and ' +
        'to carry out its legal responsibilities. It may disclose PHI for these purposes if the disclosure is required ' +
        'by law, or if the recipient gives reasonable assurances that the PHI stays confidential, is used or further ' +
        'disclosed only as required by law or for the purpose of the disclosure, and that any breach of its ' +
        'confidentiality is reported to the Business Associate.',
      '2.3 Uses, disclosures and requests are limited to the minimum necessary. The Business Associate does not sell ' +
        'PHI, does not use it for marketing of its own, and does not de-identify or aggregate it unless the Covered ' +
        'Entity asks for that in writing.',
    ],
  },
  {
    heading: '3. Safeguards',
    paragraphs: [
      '3.1 The Business Associate uses appropriate safeguards, and complies with Subpart C of 45 CFR Part 164 for ' +
        'electronic PHI, to prevent uses and disclosures that this agreement does not provide for.',
      '3.2 The safeguards of the installation include: encryption of content at rest under keys of each customer, ' +
        'encryption in transit, a second factor for everybody who signs in, roles, an audit log that shows every ' +
        'access and cannot be changed unnoticed, and separation of customers enforced by the database.',
      '3.3 The Business Associate keeps the master key, the backups and the machines of the installation under its own ' +
        'control or under that of subcontractors as in section 5, and trains those of its workforce who have access.',
    ],
  },
  {
    heading: '4. Reporting',
    paragraphs: [
      '4.1 The Business Associate reports to the Covered Entity any use or disclosure that this agreement does not ' +
        'provide for and any security incident of which it becomes aware, including breaches of unsecured PHI as ' +
        '45 CFR 164.410 requires, without unreasonable delay and no later than ten days after discovery.',
      '4.2 A report of a breach names, as far as possible, each individual concerned, what happened and when, the kinds ' +
        'of PHI involved, and what has been and will be done about it. What is found out later follows without delay.',
      '4.3 Attempts that did not succeed, such as scans, pings and refused sign-ins, are reported by this sentence.',
    ],
  },
  {
    heading: '5. Subcontractors',
    paragraphs: [
      'In accordance with 45 CFR 164.502(e)(1)(ii) and 164.308(b)(2), the Business Associate ensures that every ' +
        'subcontractor that creates, receives, maintains or transmits PHI on its behalf agrees in writing to the same ' +
        'restrictions, conditions and requirements that apply to the Business Associate.',
    ],
  },
  {
    heading: '6. Access, amendment and accounting',
    paragraphs: [
      '6.1 The Business Associate makes PHI in a designated record set available to the Covered Entity, within ten days ' +
        'of a request, as necessary to satisfy 45 CFR 164.524.',
      '6.2 The Business Associate makes amendments to PHI in a designated record set available to be recorded, and ' +
        'incorporates them, as necessary to satisfy 45 CFR 164.526.',
      '6.3 The Business Associate keeps the information that an accounting of disclosures under 45 CFR 164.528 needs, ' +
        'and makes it available to the Covered Entity.',
      '6.4 Requests of individuals that reach the Business Associate are passed on to the Covered Entity within five ' +
        'business days. The Covered Entity answers them.',
      '6.5 To the extent that the Business Associate carries out an obligation of the Covered Entity under Subpart E of ' +
        '45 CFR Part 164, it complies with the requirements that apply to the Covered Entity.',
    ],
  },
  {
    heading: '7. Books and records',
    paragraphs: [
      'The Business Associate makes its internal practices, books and records on the use and disclosure of PHI ' +
        'available to the Secretary of Health and Human Services, to determine compliance with the HIPAA Rules.',
    ],
  },
  {
    heading: '8. What the Covered Entity does',
    paragraphs: [
      'The Covered Entity tells the Business Associate of limitations in its notice of privacy practices, of changes to ' +
        'or revocations of permissions, and of restrictions that it has agreed to, as far as they affect what the ' +
        'Business Associate may do. It does not ask for uses or disclosures that the HIPAA Rules would not permit to ' +
        'itself, decides who of its people may sign in and with which role, and keeps its API keys safe.',
    ],
  },
  {
    heading: '9. Term and termination',
    paragraphs: [
      '9.1 This agreement begins on the day it is signed and lasts until all PHI has been returned or destroyed, or ' +
        'until it is ended under this section.',
      '9.2 The Covered Entity may end this agreement if it determines that the Business Associate has violated a ' +
        'material term of it and has not cured the breach within thirty days of notice, or at once where a cure is not ' +
        'possible. Either party may end it by thirty days notice in writing.',
      '9.3 From the day it ends, the installation takes in no further PHI for the Covered Entity.',
    ],
  },
  {
    heading: '10. Return or destruction',
    paragraphs: [
      '10.1 When this agreement ends, the Business Associate returns or destroys all PHI, if feasible, and keeps no ' +
        'copies. The Covered Entity may export its PHI before. Destruction is carried out by destroying the keys under ' +
        'which the PHI is encrypted, and is recorded; copies in backups become unreadable with the last backup that ' +
        'holds the keys.',
      '10.2 Where return or destruction is not feasible, the Business Associate extends the protections of this ' +
        'agreement to the PHI and limits further uses and disclosures to the purposes that make it infeasible.',
      '10.3 The audit log holds no PHI and is kept for six years, as 45 CFR 164.316(b)(2) asks of documentation.',
    ],
  },
  {
    heading: '11. Interpretation',
    paragraphs: [
      'An ambiguity in this agreement is resolved so that both parties comply with the HIPAA Rules. Should these change, ' +
        'the parties amend this agreement as needed. Sections 6.3, 7 and 10 survive its end. Nothing in it gives rights ' +
        'to anybody but the parties.',
    ],
  },
];
