import { api, unwrap } from './api.js';

/** Markdown as safe HTML, its references as seen from a project where one is named. */
export async function getHtml(path: string | null, text: string): Promise<string> {
  const context = path === null ? {} : { project: path };
  const { html } = await unwrap(api.POST('/markdown', { body: { text, gfm: true, ...context } }));
  return html;
}
