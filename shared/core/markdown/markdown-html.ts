import type { ContainerRef } from '../operations/container.js';
import { load } from '../context/loads.js';
import type { Load } from '../context/loads.js';

/** A text of a record: Markdown, or a title, which is one line without it. */
type Written = string | null | undefined | { readonly line: string };

/**
 * A load of the texts of records as HTML, by name: `htmlOf.of(record, ctx)?.description`. References in all texts of a
 * page are resolved together, for the caller.
 * @param textsOf the texts of a record
 * @param placeOf the project or group that `#1` is of there
 */
export function markdownHtml<T extends object, K extends string>(
  textsOf: (record: Readonly<T>) => Readonly<Record<K, Written>>,
  containerOf: (record: Readonly<T>) => ContainerRef | null,
): Load<T, Readonly<Record<K, string>>> {
  return load(
    (record: Readonly<T>) => record,
    async (ctx, records) => {
      const textEntries = records.map((record) => Object.entries<Written>(textsOf(record)));
      const texts = records.flatMap((record, at) =>
        (textEntries[at] ?? []).map(([, text]) => ({
          ...(typeof text === 'object' && text !== null
            ? ({ written: text.line, form: 'line' } as const)
            : ({ written: text ?? '', form: 'text' } as const)),
          container: containerOf(record),
        })),
      );
      const html = await ctx.services.markdown.htmlOf(ctx, texts);
      const rest = html.values();
      return new Map(
        records.map((record, at) => [
          record,
          Object.fromEntries((textEntries[at] ?? []).map(([name]) => [name, rest.next().value])) as Record<K, string>,
        ]),
      );
    },
  );
}
