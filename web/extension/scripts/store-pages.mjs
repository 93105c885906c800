// The pages in the stores' pictures: three tabs about a lighthouse, one about
// tomatoes.

const style = `<style>
  :root { color-scheme: light dark; }
  body { margin: 0; font: 18px/1.6 Georgia, "Liberation Serif", serif; color: light-dark(#23262b, #dfe2e6); background: light-dark(#fff, #1b1d21); }
  header { padding: 18px 56px; font: 700 22px/1 "Segoe UI", "Liberation Sans", sans-serif; color: #fff; background: var(--brand); }
  main { max-width: 640px; margin: 40px auto; padding: 0 56px; }
  h1 { font-size: 38px; line-height: 1.15; margin: 0 0 20px; }
  p { margin: 0 0 18px; }
</style>`;

const page = (language, site, brand, title, ...paragraphs) => `<!doctype html><html lang="${language}" style="--brand:${brand}"><head><meta charset="utf-8"><title>${title} | ${site}</title><meta property="og:title" content="${title}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23${brand.slice(1)}'/%3E%3C/svg%3E">${style}</head>
<body><header>${site}</header><main><article><h1>${title}</h1>${paragraphs.map((p) => `<p>${p}</p>`).join("")}</article></main></body></html>`;

export const stories = {
  en: {
    locale: "en", quoted: 1,
    pages: {
      "coast-herald/lighthouse": page("en", "Coast Herald", "#1c5a9e", "Skerry lighthouse gets its light back",
        "The lighthouse on Skerry Point will shine again from December, forty years after it was switched off.",
        "Volunteers have spent three summers repairing the lantern room and the 140 steps that lead up to it.",
        "The lamp is electric now and needs no keeper, and its beam will reach eighteen nautical miles.",
        "The village plans a celebration on the first evening, with a choir and soup for everybody."),
      "island-letter/skerry": page("en", "Island Letter", "#a33f17", "A light for Skerry Point",
        "After four decades of darkness the lighthouse at Skerry Point is to be lit again in December.",
        "The repair cost 310,000, of which fishermen, schools and a lottery gave most.",
        "Two storms delayed the work, and the lens had to be ground anew by the last workshop that still knows how.",
        "Visitors may climb the tower on Sundays from spring on, twelve at a time."),
      "gazette/phare": page("fr", "Gazette du Large", "#2a6b3c", "Le phare de Skerry se rallume",
        "Le phare de Skerry Point brillera de nouveau en décembre, quarante ans après son extinction.",
        "Des bénévoles ont passé trois étés à réparer la lanterne et les 140 marches qui y mènent.",
        "Les ornithologues demandent que la lumière soit tamisée pendant le passage des oiseaux migrateurs."),
      "garden/tomatoes": page("en", "Kitchen Garden", "#7d5200", "Tomatoes that ripen before the frost",
        "Pinch out the tops of your tomato plants in August, so that what has set can ripen.",
        "Green fruit ripens on the windowsill next to an apple within two weeks."),
    },
  },
  es: {
    locale: "es", quoted: 1,
    pages: {
      "coast-herald/faro": page("es", "El Heraldo de la Costa", "#1c5a9e", "El faro de Skerry recupera su luz",
        "El faro de Skerry Point volverá a brillar en diciembre, cuarenta años después de apagarse.",
        "Unos voluntarios han dedicado tres veranos a reparar la linterna y los 140 peldaños que llevan a ella.",
        "La lámpara es ahora eléctrica y no necesita farero, y su haz alcanzará dieciocho millas náuticas.",
        "El pueblo prepara una fiesta para la primera noche, con un coro y sopa para todos."),
      "island-letter/skerry": page("es", "Carta de la Isla", "#a33f17", "Una luz para Skerry Point",
        "Tras cuatro décadas a oscuras, el faro de Skerry Point se encenderá de nuevo en diciembre.",
        "La reparación costó 310.000, y la mayor parte la dieron pescadores, escuelas y una lotería.",
        "Dos temporales retrasaron la obra, y la lente tuvo que tallarla el último taller que aún sabe hacerlo.",
        "Desde la primavera se podrá subir a la torre los domingos, en grupos de doce."),
      "gazette/phare": page("fr", "Gazette du Large", "#2a6b3c", "Le phare de Skerry se rallume",
        "Le phare de Skerry Point brillera de nouveau en décembre, quarante ans après son extinction.",
        "Des bénévoles ont passé trois étés à réparer la lanterne et les 140 marches qui y mènent.",
        "Les ornithologues demandent que la lumière soit tamisée pendant le passage des oiseaux migrateurs."),
      "garden/tomates": page("es", "Huerto en Casa", "#7d5200", "Tomates maduros antes de la helada",
        "Despunte las tomateras en agosto para que madure lo que ya ha cuajado.",
        "El fruto verde madura en dos semanas en el alféizar, junto a una manzana."),
    },
  },
  fr: {
    locale: "fr", quoted: 1,
    pages: {
      "coast-herald/phare": page("fr", "Gazette du Large", "#1c5a9e", "Le phare de Skerry se rallume",
        "Le phare de Skerry Point brillera de nouveau en décembre, quarante ans après son extinction.",
        "Des bénévoles ont passé trois étés à réparer la lanterne et les 140 marches qui y mènent.",
        "La lampe est désormais électrique et se passe de gardien, et son faisceau portera à dix-huit milles marins.",
        "Le village prépare une fête pour le premier soir, avec une chorale et de la soupe pour tous."),
      "island-letter/skerry": page("fr", "La Lettre des Îles", "#a33f17", "Une lumière pour Skerry Point",
        "Après quatre décennies d’obscurité, le phare de Skerry Point sera rallumé en décembre.",
        "La réparation a coûté 310 000, donnés surtout par des pêcheurs, des écoles et une loterie.",
        "Deux tempêtes ont retardé les travaux, et la lentille a dû être taillée par le dernier atelier qui sache le faire.",
        "Dès le printemps, on pourra monter dans la tour le dimanche, par groupes de douze."),
      "gazette/lighthouse": page("en", "Coast Herald", "#2a6b3c", "Skerry lighthouse gets its light back",
        "The lighthouse on Skerry Point will shine again from December, forty years after it was switched off.",
        "Bird watchers ask that the light be dimmed while migrating birds pass the coast."),
      "garden/tomates": page("fr", "Potager", "#7d5200", "Des tomates mûres avant le gel",
        "Pincez la tête des pieds de tomates en août, pour que mûrissent les fruits déjà formés.",
        "Les fruits verts mûrissent en deux semaines sur le rebord de la fenêtre, près d’une pomme."),
    },
  },
  pt: {
    locale: "pt-PT", quoted: 1,
    pages: {
      "coast-herald/farol": page("pt", "Arauto da Costa", "#1c5a9e", "O farol de Skerry volta a ter luz",
        "O farol de Skerry Point voltará a brilhar em dezembro, quarenta anos depois de ter sido apagado.",
        "Voluntários passaram três verões a reparar a lanterna e os 140 degraus que levam até ela.",
        "A lâmpada é agora elétrica e dispensa faroleiro, e o seu feixe chegará a dezoito milhas náuticas.",
        "A aldeia prepara uma festa para a primeira noite, com um coro e sopa para todos."),
      "island-letter/skerry": page("pt", "Carta da Ilha", "#a33f17", "Uma luz para Skerry Point",
        "Depois de quatro décadas às escuras, o farol de Skerry Point será aceso de novo em dezembro.",
        "A reparação custou 310 000, dados sobretudo por pescadores, escolas e uma lotaria.",
        "Duas tempestades atrasaram a obra, e a lente teve de ser talhada pela última oficina que ainda o sabe fazer.",
        "A partir da primavera será possível subir à torre aos domingos, em grupos de doze."),
      "gazette/phare": page("fr", "Gazette du Large", "#2a6b3c", "Le phare de Skerry se rallume",
        "Le phare de Skerry Point brillera de nouveau en décembre, quarante ans après son extinction.",
        "Les ornithologues demandent que la lumière soit tamisée pendant le passage des oiseaux migrateurs."),
      "garden/tomates": page("pt", "Horta em Casa", "#7d5200", "Tomates maduros antes da geada",
        "Corte as pontas dos tomateiros em agosto, para que amadureça o que já vingou.",
        "Os frutos verdes amadurecem em duas semanas no parapeito da janela, junto a uma maçã."),
    },
  },
  de: {
    locale: "de", quoted: 1,
    pages: {
      "coast-herald/leuchtturm": page("de", "Küstenbote", "#1c5a9e", "Der Leuchtturm von Skerry leuchtet wieder",
        "Der Leuchtturm von Skerry Point wird ab Dezember wieder leuchten, vierzig Jahre nachdem er abgeschaltet wurde.",
        "Freiwillige haben drei Sommer lang den Laternenraum und die 140 Stufen hinauf repariert.",
        "Die Lampe ist jetzt elektrisch und braucht keinen Wärter, und ihr Licht wird achtzehn Seemeilen weit reichen.",
        "Das Dorf plant für den ersten Abend ein Fest mit einem Chor und Suppe für alle."),
      "island-letter/skerry": page("de", "Inselbrief", "#a33f17", "Ein Licht für Skerry Point",
        "Nach vier Jahrzehnten Dunkelheit wird der Leuchtturm von Skerry Point im Dezember wieder angezündet.",
        "Die Reparatur kostete 310.000; das meiste davon gaben Fischer, Schulen und eine Lotterie.",
        "Zwei Stürme verzögerten die Arbeit, und die Linse musste die letzte Werkstatt neu schleifen, die das noch kann.",
        "Ab dem Frühjahr dürfen Besucher sonntags auf den Turm steigen, jeweils zwölf auf einmal."),
      "gazette/phare": page("fr", "Gazette du Large", "#2a6b3c", "Le phare de Skerry se rallume",
        "Le phare de Skerry Point brillera de nouveau en décembre, quarante ans après son extinction.",
        "Des bénévoles ont passé trois étés à réparer la lanterne et les 140 marches qui y mènent.",
        "Les ornithologues demandent que la lumière soit tamisée pendant le passage des oiseaux migrateurs."),
      "garden/tomaten": page("de", "Küchengarten", "#7d5200", "Tomaten, die vor dem Frost reifen",
        "Kappen Sie im August die Spitzen der Tomatenpflanzen, damit reift, was schon angesetzt hat.",
        "Grüne Früchte reifen auf der Fensterbank neben einem Apfel in zwei Wochen."),
    },
  },
  it: {
    locale: "it", quoted: 1,
    pages: {
      "coast-herald/faro": page("it", "L’Araldo della Costa", "#1c5a9e", "Il faro di Skerry ritrova la sua luce",
        "Il faro di Skerry Point tornerà a brillare a dicembre, quarant’anni dopo essere stato spento.",
        "I volontari hanno passato tre estati a riparare la lanterna e i 140 gradini che vi conducono.",
        "La lampada ora è elettrica e non ha bisogno di un guardiano, e il suo fascio arriverà a diciotto miglia nautiche.",
        "Il paese prepara una festa per la prima sera, con un coro e zuppa per tutti."),
      "island-letter/skerry": page("it", "Lettera dall’Isola", "#a33f17", "Una luce per Skerry Point",
        "Dopo quattro decenni di buio, il faro di Skerry Point sarà riacceso a dicembre.",
        "La riparazione è costata 310.000, dati soprattutto da pescatori, scuole e una lotteria.",
        "Due tempeste hanno ritardato i lavori, e la lente è stata molata dall’ultima officina che sa ancora farlo.",
        "Dalla primavera si potrà salire sulla torre la domenica, a gruppi di dodici."),
      "gazette/phare": page("fr", "Gazette du Large", "#2a6b3c", "Le phare de Skerry se rallume",
        "Le phare de Skerry Point brillera de nouveau en décembre, quarante ans après son extinction.",
        "Des bénévoles ont passé trois étés à réparer la lanterne et les 140 marches qui y mènent.",
        "Les ornithologues demandent que la lumière soit tamisée pendant le passage des oiseaux migrateurs."),
      "garden/pomodori": page("it", "Orto di Casa", "#7d5200", "Pomodori maturi prima del gelo",
        "In agosto cimate le piante di pomodoro, perché maturi ciò che ha già allegato.",
        "I frutti verdi maturano in due settimane sul davanzale, accanto a una mela."),
    },
  },
};
