// JSON as it was sent: numbers that JavaScript cannot hold keep their digits.

/** @param {string} text */
export function exactly(text) {
  // Not every browser hands the source over; there such numbers are rounded.
  return JSON.parse(
    text,
    /** @type {any} */ (
      (
        /** @type {string} */ _,
        /** @type {unknown} */ value,
        /** @type {{ source?: string } | undefined} */ context,
      ) =>
        typeof value === "number" && !isHeld(value) && context?.source !== undefined
          ? new Digits(context.source)
          : value
    ),
  );
}

/** @param {unknown} value */
export const written = (value) =>
  JSON.stringify(
    value,
    (_, inner) =>
      inner instanceof Digits && "rawJSON" in JSON ? /** @type {any} */ (JSON).rawJSON(inner.text) : inner,
    2,
  );

/** A number too large to count with. */
export class Digits {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** @param {number} value */
const isHeld = (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER;
