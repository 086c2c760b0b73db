import { UnbrokenWords } from './UnbrokenWords.js';

/** `code` between backticks, as the description has it. */
export function CodeText({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index}>
        <UnbrokenWords>{part}</UnbrokenWords>
      </code>
    ) : (
      <UnbrokenWords key={index}>{part}</UnbrokenWords>
    ),
  );
}
