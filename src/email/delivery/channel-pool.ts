import type { SecureChannel } from './connect.ts';

const MOST_IDLE = 32;

export interface ChannelPool {
  /** Runs work on a channel, a used one where one is free; a channel that fails is thrown away. */
  use<T>(work: (channel: SecureChannel) => Promise<T>): Promise<T>;
  close(): void;
}

/** Keeps channels to one peer open, so that many messages share one handshake. */
export function createChannelPool(connect: () => Promise<SecureChannel>): ChannelPool {
  const idle: SecureChannel[] = [];

  async function take(): Promise<SecureChannel> {
    for (let channel = idle.pop(); channel !== undefined; channel = idle.pop()) {
      if (channel.usable) return channel;
    }
    return connect();
  }

  return {
    async use(work) {
      const channel = await take();
      try {
        const result = await work(channel);
        if (idle.length < MOST_IDLE) idle.push(channel);
        else channel.close();
        return result;
      } catch (error) {
        channel.close();
        throw error;
      }
    },
    close() {
      for (const channel of idle.splice(0)) channel.close();
    },
  };
}
