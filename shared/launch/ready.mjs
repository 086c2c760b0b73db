/**
 * Tells the person at the terminal that the service is ready, and where.
 *
 * @param {'all' | 'dev' | 'api' | 'workers'} mode
 * @param {string | undefined} listening the URL the API listens on
 * @param {{ workers: number }} settings
 */
export function announceReady(mode, listening, settings) {
  if (!listening) {
    console.log(`\nCapstan is ready: ${processes(settings.workers)}. Ctrl-C stops it.\n`);
    return;
  }
  const base = (process.env.EXTERNAL_URL || listening).replace(/\/+$/, '');
  const lines = [
    '',
    `Capstan is ready at ${base}`,
    `  REST       ${base}/api/v4`,
    `  GraphQL    ${base}/api/graphql`,
    `  Pages      ${base}/`,
    `  OpenAPI    ${base}/api/v4/openapi.json`,
  ];
  if (base !== listening) lines.push(`  Listening  ${listening}`);
  if (mode !== 'api') lines.push(`  Jobs       ${processes(settings.workers)}`);
  console.log([...lines, 'Ctrl-C stops it.', ''].join('\n'));
}

function processes(count) {
  return `${count} worker ${count === 1 ? 'process' : 'processes'}`;
}
