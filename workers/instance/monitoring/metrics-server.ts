import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { clientAddress } from '../../../shared/core/network/client-address.js';
import { METRICS_TYPE } from '../../../shared/core/metrics/text.js';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import { mayMonitor, readMetrics } from '../../../shared/instance/monitoring/metrics.js';
import type { BackgroundService } from '../../core/handler.js';

const NOT_FOUND = JSON.stringify({ error: '404 Not Found' });

/** Workers on one machine use consecutive ports, according to the numbers that the launcher assigns, from 1. */
function portOffset(): number {
  const number = Number(/^worker (\d+)$/.exec(process.env.CAPSTAN_PROCESS ?? '')?.[1] ?? 1);
  return number - 1;
}

/** Answers `/-/metrics` of this worker on a port of its own, where the settings name one (decisions/0039-metrics.md). */
export class MetricsServer implements BackgroundService {
  #server: Server | undefined;

  async start(services: OpenServices): Promise<void> {
    const { workerMetrics } = services.config;
    if (!workerMetrics) return;
    const port = workerMetrics.port + portOffset();
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
      void answer(services, request, response);
    });
    // Running jobs is more important than reporting metrics.
    server.on('error', (error: NodeJS.ErrnoException) =>
      services.log.error({ code: error.code, port }, 'metrics cannot be told: WORKER_METRICS_PORT is not free'),
    );
    this.#server = server;
    await new Promise<void>((resolve) => {
      server.once('listening', resolve);
      server.once('error', () => resolve());
      server.listen(port, workerMetrics.host);
    });
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => {
      if (this.#server?.listening) this.#server.close(() => resolve());
      else resolve();
    });
  }
}

/** By the same list, and the same rule for proxies, as in the API. */
function isAllowed(services: OpenServices, { socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-for'];
  const header = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '');
  const address = clientAddress(socket.remoteAddress, header, services.config.trustedProxies);
  return mayMonitor(services.settings.current, address);
}

async function answer(services: OpenServices, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const path = request.url?.split('?', 1)[0];
  response.setHeader('Cache-Control', 'no-store');
  if (!reads || path !== '/-/metrics' || !isAllowed(services, request)) {
    response.writeHead(404, { 'Content-Type': 'application/json' }).end(NOT_FOUND);
    return;
  }
  try {
    const text = await readMetrics(services);
    response.writeHead(200, { 'Content-Type': METRICS_TYPE }).end(text);
  } catch (error) {
    services.log.error({ err: error }, 'metrics failed');
    response.writeHead(500).end();
  }
}
