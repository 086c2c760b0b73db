import { UnbrokenText } from './UnbrokenText.js';

/** `code` between backticks, as the description has it. */
export function CodeText({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index}>
        <UnbrokenText>{part}</UnbrokenText>
      </code>
    ) : (
      <UnbrokenText key={index}>{part}</UnbrokenText>
    ),
  );
}
