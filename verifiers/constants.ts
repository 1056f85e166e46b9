/**
 * Physical and astronomical constants: CODATA 2022 recommended values (Mohr, Newell, Taylor, Tiesinga 2024, NIST) and the
 * values that the International Astronomical Union fixed. `docs/formulas.md` lists them.
 */

export interface Constant {
  /** As formulas write it. */
  readonly symbol: string;
  /** As prose names it. */
  readonly name: string;
  readonly value: number;
  /** In the grammar of units.ts. */
  readonly unit: string;
  /** Standard uncertainty in the same unit; 0 if exact. */
  readonly uncertainty: number;
  readonly exact: boolean;
  readonly source: string;
  /** How prose writes the symbol, where it differs. */
  readonly prose?: string;
}

const CODATA = "CODATA 2022";
const IUPAC2021 = "IUPAC 2021, abridged to five figures";
const IAU2012 = "IAU 2012 resolution B2";
const IAU2015 = "IAU 2015 resolution B3 (nominal)";
const PROSE: Readonly<Record<string, string>> = {
  sigma: "σ",
  epsilon_0: "ε₀",
  mu_0: "μ₀",
  alpha: "α",
  g_n: "gₙ",
  GM_sun: "GM☉",
  GM_earth: "GM⊕",
  R_earth: "R⊕",
  M_sun: "M☉",
  R_sun: "R☉",
  L_sun: "L☉",
  m_e: "mₑ",
  a_0: "a₀",
};

function constant(
  symbol: string,
  name: string,
  value: number,
  unit: string,
  uncertainty: number,
  source: string,
): Constant {
  const prose = PROSE[symbol];
  return {
    symbol,
    name,
    value,
    unit,
    uncertainty,
    exact: uncertainty === 0,
    source,
    ...(prose ? { prose } : {}),
  };
}

const NOMINAL_G = 6.6743e-11;

export const CONSTANTS: readonly Constant[] = [
  constant("G", "Newtonian constant of gravitation", NOMINAL_G, "m^3 kg^-1 s^-2", 1.5e-15, CODATA),
  constant("c", "speed of light in vacuum", 299792458, "m/s", 0, CODATA),
  constant("h", "Planck constant", 6.62607015e-34, "J s", 0, CODATA),
  constant("hbar", "reduced Planck constant", 6.62607015e-34 / (2 * Math.PI), "J s", 0, CODATA),
  constant("e", "elementary charge", 1.602176634e-19, "C", 0, CODATA),
  constant("k_B", "Boltzmann constant", 1.380649e-23, "J/K", 0, CODATA),
  constant("N_A", "Avogadro constant", 6.02214076e23, "mol^-1", 0, CODATA),
  constant("R", "molar gas constant", 8.31446261815324, "J mol^-1 K^-1", 0, CODATA),
  constant("F", "Faraday constant", 96485.33212331001, "C/mol", 0, CODATA),
  constant("sigma", "Stefan-Boltzmann constant", 5.670374419184429e-8, "W m^-2 K^-4", 0, CODATA),
  constant("b_wien", "Wien wavelength displacement law constant", 2.897771955185172e-3, "m K", 0, CODATA),
  constant("u", "atomic mass constant", 1.66053906892e-27, "kg", 5.2e-37, CODATA),
  constant("m_e", "electron mass", 9.1093837139e-31, "kg", 2.8e-40, CODATA),
  constant("m_p", "proton mass", 1.67262192595e-27, "kg", 5.2e-37, CODATA),
  constant("m_n", "neutron mass", 1.67492750056e-27, "kg", 8.5e-37, CODATA),
  constant("m_e_u", "electron mass in u", 5.485799090441e-4, "u", 9.7e-15, CODATA),
  constant("m_p_u", "proton mass in u", 1.0072764665789, "u", 8.3e-12, CODATA),
  constant("m_n_u", "neutron mass in u", 1.00866491606, "u", 4.0e-10, CODATA),
  constant(
    "M_H_u",
    "mass of the hydrogen-1 atom in u",
    1.007825031898,
    "u",
    1.4e-11,
    "AME2020 (Wang et al. 2021, Chinese Physics C 45, 030003)",
  ),
  constant("alpha", "fine-structure constant", 7.2973525643e-3, "1", 1.1e-12, CODATA),
  constant("R_inf", "Rydberg constant", 10973731.568157, "m^-1", 1.2e-5, CODATA),
  constant("a_0", "Bohr radius", 5.29177210544e-11, "m", 8.2e-21, CODATA),
  constant("epsilon_0", "vacuum electric permittivity", 8.8541878188e-12, "F/m", 1.4e-21, CODATA),
  constant("mu_0", "vacuum magnetic permeability", 1.25663706127e-6, "N A^-2", 2.0e-16, CODATA),
  constant("g_n", "standard acceleration of gravity", 9.80665, "m/s^2", 0, CODATA),
  constant("atm", "standard atmosphere", 101325, "Pa", 0, CODATA),
  constant("au", "astronomical unit", 149597870700, "m", 0, IAU2012),
  constant("GM_sun", "nominal solar mass parameter", 1.3271244e20, "m^3 s^-2", 0, IAU2015),
  constant("GM_earth", "nominal terrestrial mass parameter", 3.986004e14, "m^3 s^-2", 0, IAU2015),
  constant("GM_jup", "nominal jovian mass parameter", 1.2668653e17, "m^3 s^-2", 0, IAU2015),
  constant("R_sun", "nominal solar radius", 6.957e8, "m", 0, IAU2015),
  constant("R_earth", "nominal equatorial radius of the Earth", 6.3781e6, "m", 0, IAU2015),
  constant(
    "sidereal_year",
    "sidereal year",
    365.256363004,
    "d",
    0,
    "IERS Conventions (2010): mean sidereal year at J2000",
  ),
  constant(
    "a_jup",
    "semi-major axis of Jupiter",
    5.202887,
    "au",
    0,
    "Standish & Williams, JPL approximate positions of the planets",
  ),
  constant(
    "D_0",
    "diameter of a body of H = 0 and albedo 1",
    1329,
    "km",
    0,
    "Pravec & Harris 2007, Icarus 190, 250",
  ),
  constant("r_0", "nuclear radius parameter", 1.2, "fm", 0, "Krane 1988, section 3.1 (conventional)"),
  constant("T_isa", "sea-level temperature of the standard atmosphere", 288.15, "K", 0, "ICAO Doc 7488"),
  constant("L_isa", "temperature lapse rate of the standard atmosphere", 0.0065, "K/m", 0, "ICAO Doc 7488"),
  constant("M_air", "molar mass of air of the standard atmosphere", 0.0289644, "kg/mol", 0, "ICAO Doc 7488"),
  constant("a_wgs84", "semi-major axis of the WGS 84 ellipsoid", 6378137, "m", 0, "NIMA TR8350.2"),
  constant(
    "e2_wgs84",
    "squared first eccentricity of the WGS 84 ellipsoid",
    6.69437999014e-3,
    "1",
    0,
    "NIMA TR8350.2",
  ),
  constant(
    "R_mean",
    "mean radius of the Earth (IUGG)",
    6371.0088,
    "km",
    0,
    "Moritz 2000, Journal of Geodesy 74, 128",
  ),
  constant("L_sun", "nominal solar luminosity", 3.828e26, "W", 0, IAU2015),
  constant("bp_rise", "rise per base pair of B-DNA", 0.34, "nm", 0, "Watson & Crick 1953, Nature 171, 737"),
  constant(
    "bp_per_pg",
    "number of base pairs per mass of double-stranded DNA",
    9.78e8,
    "pg^-1",
    0,
    "Doležel et al. 2003, Cytometry 51A, 127",
  ),
  constant("M_water", "molar mass of water", 18.015, "g/mol", 0, IUPAC2021),
  constant("M_C", "standard atomic weight of carbon", 12.011, "g/mol", 0, IUPAC2021),
  constant("M_N", "standard atomic weight of nitrogen", 14.007, "g/mol", 0, IUPAC2021),
  constant(
    "obliquity",
    "obliquity of the ecliptic",
    23.4393,
    "deg",
    0,
    "IAU 2006: 84381.406 arcsec at J2000",
  ),
  constant("omega_earth", "angular velocity of the Earth", 7.292115e-5, "s^-1", 0, "NIMA TR8350.2"),
  constant("g_equator", "normal gravity at the equator", 9.7803253359, "m/s^2", 0, "NIMA TR8350.2"),
  constant("solar_day", "mean solar day", 24, "h", 0, "definition"),
  constant(
    "T_U238",
    "half-life of uranium-238",
    4.4683e9,
    "yr",
    0,
    "Jaffey et al. 1971, Phys. Rev. C 4, 1889",
  ),
  constant(
    "long_cycle",
    "long cycle of the Earth's orbital eccentricity",
    405,
    "kyr",
    0,
    "Laskar et al. 2004, A&A 428, 261",
  ),
  constant("A_land", "land area of the Earth", 148.94e6, "km^2", 0, "CIA World Factbook, World"),
];

const BY_SYMBOL: ReadonlyMap<string, Constant> = new Map(CONSTANTS.map((k) => [k.symbol, k]));

/** The constant with a symbol, e.g. `G`; undefined if there is none. */
export function constantOf(symbol: string): Constant | undefined {
  return BY_SYMBOL.get(symbol);
}

/** All symbols that a formula may name. */
export const CONSTANT_SYMBOLS: readonly string[] = CONSTANTS.map((k) => k.symbol);
