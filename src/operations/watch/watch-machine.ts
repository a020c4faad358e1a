import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import type { Installation } from '../../installation.ts';
import { addView, one } from './gauges.ts';
import { readSealDays } from './seal-days.ts';

interface Deps {
  registry: Registry;
  /** Whether writes are refused since the disk is nearly full. */
  backpressure: { readonly full: boolean };
}

/** Lets whoever scrapes see the disk and the certificate that lies on it. */
export function watchMachine({ config, clock, log }: Installation, { registry, backpressure }: Deps): void {
  const deps = { registry, clock, log };
  addView(deps, {
    name: 'disk',
    read: () => statfs(config.dataDir),
    gauges: [
      {
        name: 'carepost_disk_free_bytes',
        help: 'Room left on the disk of the data folder',
        of: ({ bavail, bsize }) => one(bavail * bsize),
      },
      {
        name: 'carepost_disk_size_bytes',
        help: 'Size of the disk of the data folder',
        of: ({ blocks, bsize }) => one(blocks * bsize),
      },
      {
        name: 'carepost_disk_least_free_bytes',
        help: 'Room below which writes are refused (free-disk in CAREPOST_LIMITS)',
        of: () => one(config.limits.freeDiskBytes),
      },
      {
        name: 'carepost_refusing_writes',
        help: 'Whether this process refuses writes since the disk is nearly full',
        of: () => one(backpressure.full ? 1 : 0),
      },
    ],
  });
  addView(deps, {
    name: 'seal certificate',
    read: () => readSealDays(config, clock),
    gauges: [
      {
        name: 'carepost_seal_certificate_days',
        help: 'Days until the certificate of CAREPOST_SEAL_CERT_FILE ends; no line where none is set',
        of: (days) => (days === null ? [] : one(days)),
      },
    ],
  });
}
