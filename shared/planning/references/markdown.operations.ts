import { Invalid } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { findProject } from '../../tenancy/projects/project.finder.js';

/** As long as a description may be (core-resources.md section 6). */
const MOST_TEXT = 1_048_576;

/** A rendered text. */
export const renderedMarkdown = serializer<{ html: string }>('Markdown', {
  html: out.text(({ html }) => html, { description: 'Rendered text, as safe HTML.' }),
});

/**
 * Render a text as HTML for the caller: with `gfm` also emoji, and references resolved from a project. A text that
 * takes too long is returned unchanged. As in the public API, rendering requires signing in.
 */
export const renderMarkdown = operation({
  name: 'renderMarkdown',
  summary: 'Render Markdown as HTML',
  resource: instance,
  kind: 'read',
  scopes: ['api'],
  statements: 8,
  params: {
    text: text()
      .describe('Text to render, of at most 1,048,576 characters.')
      .meta({ examples: ['Hello **world** :tada:'] }),
    gfm: optional(boolean()).describe('If `true`, also renders references and emoji.'),
    project: optional(text()).describe('ID or full path of the project that references are resolved from.'),
  },
  async run(ctx, _instance, { text: written, gfm, project }) {
    if (written.length > MOST_TEXT) throw new Invalid({ text: [`is too long (maximum is ${MOST_TEXT} characters)`] });
    const found = project === undefined ? null : await findProject(ctx, project);
    const container = found && ({ kind: 'project', id: found.id } as const);
    const [html = ''] = await ctx.services.markdown.htmlOf(ctx, [{ written, form: gfm ? 'text' : 'plain', container }]);
    return { html };
  },
});
