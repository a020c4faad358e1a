import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startS3 } from '../blob/s3-wire.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { createHome, firstKey, freePort, type Home, type ServerProcess, startServer } from '../support/server.ts';

/** One of several nodes: a process that may be killed, at ports that stay. */
export interface ClusterNode {
  server: ServerProcess;
  smtpPort: number;
  /** Starts it again after it has ended. */
  start(): Promise<void>;
}

export interface Cluster {
  nodes: ClusterNode[];
  /** The key that whichever node was first printed. */
  key: string;
  /** The settings of all nodes, for commands. */
  env: Record<string, string>;
  /** Where requests and mail go, to whichever node is ready. */
  http: Balancer;
  smtp: Balancer;
  /** Ends the nodes, and then the store, which waits for them. */
  stop(): Promise<void>;
}

/**
 * Nodes as processes over one PostgreSQL and one S3 store, each with a data folder of its own, begun all at once before
 * there is a key or a customer.
 */
export async function startCluster(
  t: TestContext,
  { count, databaseUrl, env = {} }: { count: number; databaseUrl: string; env?: Record<string, string> },
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-cluster-'));
  const s3 = await startS3(folder);
  const shared = {
    CAREPOST_DATABASE_URL: databaseUrl,
    CAREPOST_BLOB_URL: s3.url,
    CAREPOST_MASTER_KEY_FILE: join(folder, 'master.key'),
    CAREPOST_LOG_LEVEL: 'warn',
    ...env,
  };
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(t, shared)));
  const targetsOf = (portOf: (node: ClusterNode) => number) =>
    nodes.map((node) => ({ port: portOf(node), readyUrl: `${node.server.url}/readyz` }));
  return {
    nodes,
    env: { ...shared, CAREPOST_DATA_DIR: join(folder, 'commands') },
    async stop() {
      await Promise.all(nodes.map(({ server }) => server.kill('SIGTERM')));
      await s3.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    key: nodes.map(({ server }) => firstKey(server)).find((key) => key !== undefined) as string,
    http: await startBalancer(
      t,
      targetsOf(({ server }) => Number(new URL(server.url).port)),
    ),
    smtp: await startBalancer(
      t,
      targetsOf(({ smtpPort }) => smtpPort),
    ),
  };
}

async function startNode(t: TestContext, shared: Record<string, string>): Promise<ClusterNode> {
  const home: Home = await createHome(t);
  const smtpPort = await freePort();
  const serve = () => startServer(t, home, { ...shared, CAREPOST_SMTP_PORT: String(smtpPort) });
  const node: ClusterNode = {
    server: await serve(),
    smtpPort,
    async start() {
      node.server = await serve();
    },
  };
  return node;
}
