import { writeFileSync } from 'node:fs';
import { loadRegistryKey } from './packages/container-registry/registry-key.js';
import { REGISTRY_ISSUER, REGISTRY_SERVICE } from './packages/container-registry/registry-token.js';
import { runServiceCommand, printLine } from './service-command.js';

/** The launcher runs this file for `npm run registry-key -- FILE`. */
await runServiceCommand('registry-key', async (ctx) => {
  const [file = 'registry.crt'] = process.argv.slice(2);
  const { certificate, notificationSecret } = await loadRegistryKey(ctx);
  writeFileSync(file, certificate);
  const base = ctx.config.externalUrl;
  const lines = [
    'storage:',
    '  delete:',
    '    enabled: true',
    'auth:',
    '  token:',
    `    realm: ${base}/jwt/auth`,
    `    service: ${REGISTRY_SERVICE}`,
    `    issuer: ${REGISTRY_ISSUER}`,
    `    rootcertbundle: ${JSON.stringify(file)}`,
    'notifications:',
    '  events:',
    '    includereferences: true',
    '  endpoints:',
    '    - name: capstan',
    `      url: ${base}/jwt/notifications`,
    '      timeout: 5s',
    '      threshold: 5',
    '      backoff: 10s',
    '      headers:',
    `        Authorization: [Bearer ${notificationSecret}]`,
  ];
  for (const line of lines) printLine(line);
  return 0;
});
