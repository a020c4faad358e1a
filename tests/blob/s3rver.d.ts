declare module '@20minutes/s3rver' {
  interface Context {
    method: string;
    path: string;
    query: Record<string, string | undefined>;
    status: number;
    type: string;
    body: string;
  }
  interface Options {
    address: string;
    port: number;
    directory: string;
    silent: boolean;
    configureBuckets: { name: string }[];
  }
  class S3rver {
    constructor(options: Options);
    middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    store: {
      listObjects(
        bucket: string,
        options: { prefix: string; startAfter: string; maxKeys: number },
      ): Promise<{ objects: { key: string; lastModifiedDate: Date }[]; isTruncated: boolean }>;
    };
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
  export = S3rver;
}
