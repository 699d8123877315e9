// Places of layers to write below a band axis: all of a few, some of many.
export function fewTicks(places: number, narrow: boolean): readonly number[] {
  const step = Math.ceil(places / (narrow ? 8 : 28));
  return Array.from({ length: places }, (_, index) => index + 1).filter((place) => step === 1 || place % step === 0);
}
