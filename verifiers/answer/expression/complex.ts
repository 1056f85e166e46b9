/** Complex numbers as far as expressions need them; principal values. Real arguments give real results where there are such. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

export const complex = (re: number, im = 0): Complex => ({ re, im });
const ONE = complex(1);
const I = complex(0, 1);

export const size = (a: Complex): number => (a.im === 0 ? Math.abs(a.re) : Math.hypot(a.re, a.im));
export const add = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im });
export const subtract = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });
export const negative = (a: Complex): Complex => ({ re: -a.re, im: a.im === 0 ? 0 : -a.im });

export function multiply(a: Complex, b: Complex): Complex {
  if (a.im === 0 && b.im === 0) return complex(a.re * b.re);
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
}

/** Scaled by the larger part of the divisor (Smith 1962), so that nothing overflows on the way. */
export function divide(a: Complex, b: Complex): Complex {
  if (b.im === 0) return { re: a.re / b.re, im: a.im === 0 ? 0 : a.im / b.re };
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const r = b.im / b.re;
    const d = b.re + b.im * r;
    return { re: (a.re + a.im * r) / d, im: (a.im - a.re * r) / d };
  }
  const r = b.re / b.im;
  const d = b.re * r + b.im;
  return { re: (a.re * r + a.im) / d, im: (a.im * r - a.re) / d };
}

export function exp(a: Complex): Complex {
  const e = Math.exp(a.re);
  return a.im === 0 ? complex(e) : { re: e * Math.cos(a.im), im: e * Math.sin(a.im) };
}

export function ln(a: Complex): Complex {
  if (a.im === 0 && a.re > 0) return complex(Math.log(a.re));
  return { re: Math.log(size(a)), im: Math.atan2(a.im, a.re) };
}

export function sqrt(a: Complex): Complex {
  if (a.im === 0) return a.re >= 0 ? complex(Math.sqrt(a.re)) : { re: 0, im: Math.sqrt(-a.re) };
  const t = Math.sqrt((Math.abs(a.re) + size(a)) / 2);
  const other = Math.abs(a.im) / (2 * t);
  const sign = a.im < 0 ? -1 : 1;
  return a.re >= 0 ? { re: t, im: sign * other } : { re: other, im: sign * t };
}

export function sin(a: Complex): Complex {
  if (a.im === 0) return complex(Math.sin(a.re));
  return { re: Math.sin(a.re) * Math.cosh(a.im), im: Math.cos(a.re) * Math.sinh(a.im) };
}

export function cos(a: Complex): Complex {
  if (a.im === 0) return complex(Math.cos(a.re));
  return { re: Math.cos(a.re) * Math.cosh(a.im), im: -Math.sin(a.re) * Math.sinh(a.im) };
}

export function sinh(a: Complex): Complex {
  if (a.im === 0) return complex(Math.sinh(a.re));
  return { re: Math.sinh(a.re) * Math.cos(a.im), im: Math.cosh(a.re) * Math.sin(a.im) };
}

export function cosh(a: Complex): Complex {
  if (a.im === 0) return complex(Math.cosh(a.re));
  return { re: Math.cosh(a.re) * Math.cos(a.im), im: Math.sinh(a.re) * Math.sin(a.im) };
}

/** arcsin z = -i ln(iz + sqrt(1 - z)·sqrt(1 + z)) (DLMF 4.23.19, with the root split so that the cuts lie right). */
export function arcsin(a: Complex): Complex {
  if (a.im === 0 && Math.abs(a.re) <= 1) return complex(Math.asin(a.re));
  const root = multiply(sqrt(subtract(ONE, a)), sqrt(add(ONE, a)));
  return multiply(negative(I), ln(add(multiply(I, a), root)));
}

export function arccos(a: Complex): Complex {
  if (a.im === 0 && Math.abs(a.re) <= 1) return complex(Math.acos(a.re));
  return subtract(complex(Math.PI / 2), arcsin(a));
}

/** arctan z = (i/2)(ln(1 - iz) - ln(1 + iz)) (DLMF 4.23.26). */
export function arctan(a: Complex): Complex {
  if (a.im === 0) return complex(Math.atan(a.re));
  const ia = multiply(I, a);
  return multiply(complex(0, 0.5), subtract(ln(subtract(ONE, ia)), ln(add(ONE, ia))));
}

/** arsinh z = -i arcsin(iz). */
export function arcsinh(a: Complex): Complex {
  if (a.im === 0) return complex(Math.asinh(a.re));
  return multiply(negative(I), arcsin(multiply(I, a)));
}

/** arcosh z = ln(z + sqrt(z - 1)·sqrt(z + 1)) (DLMF 4.37.19). */
export function arccosh(a: Complex): Complex {
  if (a.im === 0 && a.re >= 1) return complex(Math.acosh(a.re));
  return ln(add(a, multiply(sqrt(subtract(a, ONE)), sqrt(add(a, ONE)))));
}

/** artanh z = (ln(1 + z) - ln(1 - z))/2 (DLMF 4.37.24). */
export function arctanh(a: Complex): Complex {
  if (a.im === 0 && Math.abs(a.re) < 1) return complex(Math.atanh(a.re));
  return multiply(complex(0.5), subtract(ln(add(ONE, a)), ln(subtract(ONE, a))));
}
