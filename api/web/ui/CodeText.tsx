import { Whole } from './Whole.js';

/** `code` between backticks, as the description has it. */
export function CodeText({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index}>
        <Whole>{part}</Whole>
      </code>
    ) : (
      <Whole key={index}>{part}</Whole>
    ),
  );
}
