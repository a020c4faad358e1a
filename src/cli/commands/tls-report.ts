import { listTlsReports } from '../../email/index.ts';
import { type Command, withInstallation } from '../command.ts';
import { listed } from '../listed.ts';

export const tlsReportList: Command = {
  name: 'tls-report list',
  usage: '',
  about: 'list what other installations report of their TLS with this one, the newest first',
  run: ({ config }) =>
    withInstallation(config, async ({ db }) =>
      listed(await listTlsReports(db), ({ organization, start, end, policies }) => {
        const range = `${start.toISOString()} to ${end.toISOString()}`;
        const lines = policies.map(({ domain, type, successful, failed, failures }) => {
          const reasons = failures.map((failure) => `${failure.type} ${failure.sessions}`).join(', ');
          return `${range}  ${organization}  ${domain}  ${type}  ${successful} good, ${failed} failed  ${reasons}`.trimEnd();
        });
        return lines.join('\n');
      }),
    ),
};
