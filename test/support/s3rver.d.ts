// The part of @20minutes/s3rver that the tests use; the package has no types.

declare module '@20minutes/s3rver' {
  class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      allowMismatchedSignatures: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly httpServer: import('node:http').Server;
    run(): Promise<import('node:net').AddressInfo>;
    close(): Promise<void>;
  }
  export = S3rver;
}
