import { listTlsReports } from '../email/index.ts';
import { type Command, withInstallation } from './command.ts';

export const tlsReportList: Command = {
  name: 'tls-report list',
  usage: '',
  about: 'list what other installations report of their TLS with this one, the newest first',
  run: ({ config }) =>
    withInstallation(config, async ({ db }) => {
      const reports = await listTlsReports(db);
      const lines = reports.flatMap(({ organization, start, end, policies }) =>
        policies.map(({ domain, type, successful, failed, failures }) => {
          const reasons = failures.map((failure) => `${failure.type} ${failure.sessions}`).join(', ');
          const range = `${start.toISOString()} to ${end.toISOString()}`;
          return `${range}  ${organization}  ${domain}  ${type}  ${successful} good, ${failed} failed  ${reasons}`.trimEnd();
        }),
      );
      return { json: { reports }, text: lines.length === 0 ? 'No reports' : lines.join('\n') };
    }),
};
