// Asks the product in this container whether it can do its work: at the port of the metrics, which every role has, or at
// the main one. With neither there is nobody to ask, and that the process lives is all that can be said.
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

const { env } = process;
const roles = (env.CAREPOST_ROLES ?? 'http').split(',').map((role) => role.trim());
const hasCertificate = Boolean(env.CAREPOST_TLS_CERT_FILE || env.CAREPOST_ACME_EMAIL);
const metricsPort = (env.CAREPOST_METRICS_PORT ?? '').trim();
const hasMetrics = !['', '0'].includes(metricsPort);
const isSecure = !hasMetrics && hasCertificate && !env.CAREPOST_TRUSTED_PROXIES;
const given = ((hasMetrics ? env.CAREPOST_METRICS_HOST : env.CAREPOST_HTTP_HOST) ?? '').trim();
const isEverywhere = ['', '0.0.0.0', '::'].includes(given);

if (hasMetrics || roles.includes('http')) {
  // It is this machine that answers; whether its certificate fits is for those who come by its name.
  const options = {
    host: isEverywhere ? '127.0.0.1' : given,
    port: hasMetrics ? metricsPort : (env.CAREPOST_HTTP_PORT ?? 8080),
    path: '/readyz',
    rejectUnauthorized: false,
  };
  const call = (isSecure ? overHttps : overHttp)(options, (reply) => {
    process.exitCode = reply.statusCode === 200 ? 0 : 1;
    reply.resume();
  });
  call.setTimeout(4000, () => call.destroy(new Error('no answer')));
  call.once('error', () => (process.exitCode = 1)).end();
}
