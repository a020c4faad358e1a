const number = (value: number) => value.toLocaleString('en');
const many = (value: number, one: string, more: string) => (value === 1 ? `1 ${one}` : `${number(value)} ${more}`);

const BYTE_STEPS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A size as people say it. */
export function bytesInWords(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTE_STEPS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 })} ${BYTE_STEPS[step]}`;
}

export const words = {
  health: {
    title: 'Health',
    lead: (version: string) => `Carepost ${version}. Looked at every few seconds; nothing here is about patients.`,
    allGood: 'Everything is well',
    somePoor: (count: number) => `${many(count, 'thing needs', 'things need')} a look`,
    states: { good: 'Good', poor: 'Look at it', unknown: 'Not set up' },
    checks: {
      database: {
        name: 'Database',
        measured: (value: number) => `answers in ${number(value)} ms`,
        poor: 'It does not answer. Nothing works until it does.',
        unknown: '',
      },
      disk: {
        name: 'Disk',
        measured: (value: number) => `${bytesInWords(value)} free`,
        poor: 'Little room is left. New work is refused when it is used up; reading goes on.',
        unknown: '',
      },
      worker: {
        name: 'Worker',
        measured: (value: number) => `seen ${many(value, 'second', 'seconds')} ago`,
        poor: 'No worker was heard of lately: mail waits, webhooks and drips stand still.',
        unknown: '',
      },
      sealer: {
        name: 'Audit sealer',
        measured: (value: number) =>
          value === 0 ? 'everything is sealed' : `${many(value, 'second', 'seconds')} behind`,
        poor: 'Audit rows wait to be sealed. A worker seals them; a long transaction may hold it up.',
        unknown: '',
      },
      queues: {
        name: 'Queues',
        measured: (value: number) => (value === 0 ? 'nothing is late' : `${number(value)} late`),
        poor: 'Some work has been due for more than five minutes.',
        unknown: '',
      },
      certificate: {
        name: 'Certificate',
        measured: (value: number) => `${many(value, 'day', 'days')} left`,
        poor: 'It ends soon or cannot be read. Put a new one in place.',
        unknown: 'The server has no certificate of its own; a proxy in front of it may have one.',
      },
    },
  },
  queues: {
    title: 'Queues',
    lead: 'What waits to be done, for all customers together.',
    label: 'Queues',
    names: {
      messages: 'Messages',
      mailings: 'Mailings and drips, mails',
      webhooks: 'Webhook deliveries',
      drips: 'Drips, people who wait',
      jobs: 'Side jobs',
    },
    columns: { name: 'Queue', waiting: 'Waiting', due: 'Due', held: 'At work', late: 'Late', oldest: 'Oldest due' },
    nothingDue: 'nothing due',
    more: (count: number) => `more than ${number(count)}`,
    notTold: '–',
    late: (count: number) => `${number(count)} late`,
  },
  nodes: {
    title: 'Nodes',
    lead: 'The processes of this installation. Each says every ten seconds that it is there.',
    label: 'Nodes',
    columns: { host: 'Host', roles: 'Roles', version: 'Version', started: 'Started', seen: 'Heard of', state: 'State' },
    states: { there: 'There', away: 'Away' },
    mixed: 'The nodes do not all run the same version.',
    empty: 'No node has been heard of',
    emptyLead: 'It may take ten seconds after a start.',
  },
  jobs: {
    title: 'Jobs',
    lead: 'Work in the background, without what it is about. Those that failed come first.',
    label: 'Side jobs',
    columns: {
      task: 'Job',
      state: 'State',
      attempts: 'Attempts',
      error: 'Error',
      next: 'Next try',
      actions: 'Actions',
    },
    states: { waiting: 'Waiting', running: 'Running', failing: 'Failing', given_up: 'Given up' },
    of: (done: number, most: number) => `${number(done)} of ${number(most)}`,
    retry: 'Try again now',
    retryOf: (task: string) => `Try ${task} again now`,
    retried: (task: string) => `${task} begins again.`,
    empty: 'No job waits',
    emptyLead: 'Jobs appear here while they wait, run or fail.',
  },
  storage: {
    title: 'Storage',
    lead: 'Where the room goes.',
    disk: 'Disk',
    diskUsed: 'Used',
    diskFree: (free: string, total: string) => `${free} of ${total} free`,
    database: 'Database',
    files: 'Files',
    filesCount: (count: number) => many(count, 'file', 'files'),
    tables: 'Largest tables',
    tablesLabel: 'Largest tables of the database',
    columns: { table: 'Table', size: 'Size', rows: 'Rows, about', share: 'Share' },
  },
  customers: {
    title: 'Customers',
    lead: 'Who uses this installation: counts and times, nothing of what they hold.',
    label: 'Customers',
    columns: {
      name: 'Customer',
      agreement: 'Agreement',
      active: 'Last active',
      users: 'People',
      keys: 'Keys',
      forms: 'Forms',
      submissions: 'Submissions',
      subscribers: 'Subscribers',
    },
    inForce: 'In force',
    missing: 'Missing',
    closed: 'Closed',
    add: 'Add a customer',
    addLead: 'Its owner gets an invitation by mail, signs the agreement and takes it from there.',
    name: 'Name',
    nameHint: 'What the clinic is called.',
    username: 'Username',
    usernameHint: '2 to 63 of a–z, 0–9, - and _. It cannot be changed later.',
    ownerEmail: 'Email address of the owner',
    addNow: 'Add and invite',
    added: (name: string) => `${name} is added`,
    addedByMail: 'The invitation of its owner is on its way by mail.',
    addedBySandbox: 'In the sandbox no mail leaves. Give the owner this link; it works once within seven days.',
    setupLink: 'Setup link',
    done: 'Done',
    empty: 'No customer yet',
    emptyLead: 'Add the first one and invite its owner.',
  },
} as const;
