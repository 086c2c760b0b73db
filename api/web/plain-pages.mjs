import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes everything that is displayed without scripts, that is, the server's error page and the document's text for
 * browsers without scripts, with the class names of the pages' components, so that it looks like every other page.
 * @param {string} folder the folder of the pages
 */
export function plainPages(folder) {
  /** The bundle's class names, by component and original name. */
  const classes = new Map();
  const template = (name) => readFileSync(path.join(folder, name), 'utf8');

  /** `@Shell.bar` to the class of that name in `Shell.module.css`. */
  function withClasses(html) {
    return html.replace(/@([A-Z]\w*)\.(\w+)/g, (_all, part, name) => {
      const found = classes.get(part)?.[name];
      if (found === undefined) throw new Error(`No class ${name} in ${part}.module.css.`);
      return found;
    });
  }

  /** The files of a document that matter without scripts, and the one that keeps the chosen theme. */
  const getFiles = (document) =>
    document.match(/<link rel="(?:icon|stylesheet)"[^>]*>|<script src="[^"]*theme\.js"><\/script>/g).join('\n    ');

  /** A document with its header for browsers without scripts, and the classes of the bundle. */
  const filled = (html) => withClasses(html.replace('{{header}}', template('plain-header.html').trim()));

  return {
    /** Called for each CSS module. */
    keepClasses(file, names) {
      classes.set(path.basename(file, '.module.css'), names);
    },
    filled,
    /** @param {string} document as it is built */
    written(document) {
      const problem = template('problem.html').replace('{{files}}', getFiles(document));
      return { document: filled(document), problem: filled(problem) };
    },
  };
}
