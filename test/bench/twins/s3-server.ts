import { S3Server } from '../../core/object-store/s3-server.js';

/** A server that implements S3, in a separate process, so that its CPU time does not count for the measuring one. */
const server = await S3Server.start(1);
process.send?.({ type: 'ready', url: server.take().endpoint });
const leave = () => void server.stop().finally(() => process.exit(0));
process.on('SIGTERM', leave);
process.on('disconnect', leave);
