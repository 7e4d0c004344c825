# Golden numbers for percuss.stats from R. Run: Rscript generate.R > r.json
# Versions and date are written into the file. Packages: boot, psych, vcd, multcompView.
suppressPackageStartupMessages({library(boot); library(psych); library(vcd); library(multcompView)})

num <- function(x) paste0("[", paste(format(unname(as.numeric(x)), digits = 12, trim = TRUE), collapse = ", "), "]")
rows <- list()
put <- function(name, x) rows[[name]] <<- num(x)

# Intervals: prop.test without correction is Wilson, binom.test is Clopper-Pearson.
for (kn in list(c(1090, 5543), c(0, 20), c(3, 17), c(29, 30))) {
  key <- paste(kn, collapse = "/")
  put(paste0("wilson ", key), prop.test(kn[1], kn[2], correct = FALSE)$conf.int)
  put(paste0("clopper_pearson ", key), binom.test(kn[1], kn[2])$conf.int)
}
put("student_t", t.test(c(2.1, 3.4, 1.9, 5.6, 4.4, 3.3))$conf.int)
put("two_proportion_z p", prop.test(c(15, 5), c(60, 62), correct = FALSE)$p.value)
put("mcnemar p 12 4", binom.test(4, 16)$p.value)

# Corrections for many tests.
p <- c(0.001, 0.009, 0.04, 0.03, 0.2, 0.011)
put("holm", p.adjust(p, "holm")); put("bonferroni", p.adjust(p, "bonferroni")); put("benjamini_hochberg", p.adjust(p, "BH"))

# Ranks: tau-b with ties (normal p), without ties (exact p); Spearman's exact p.
x <- c(1, 2, 2, 3, 4, 4, 5, 1, 3, 5, 2, 4); y <- c(1, 3, 2, 3, 5, 4, 4, 2, 2, 5, 1, 3)
k <- suppressWarnings(cor.test(x, y, method = "kendall", exact = FALSE)); put("tau tied", c(k$estimate, k$p.value))
x <- c(4, 7, 8, 5, 6, 3, 2, 1, 9); y <- c(2, 9, 6, 5, 8, 1, 4, 3, 7)
k <- cor.test(x, y, method = "kendall", exact = TRUE); put("tau exact", c(k$estimate, k$p.value))
s <- cor.test(1:8, c(4, 7, 8, 5, 6, 3, 2, 1), method = "spearman", exact = TRUE); put("spearman exact", c(s$estimate, s$p.value))

# Cohen's kappa: psych for nominal, vcd for the weights (psych 2.2.9 prints another error for quadratic: 0.0798).
a <- c(1,2,3,3,2,1,1,2,3,3,2,2,1,3,2,1,1,3,2,2,3,1,2,3); b <- c(1,2,3,2,2,1,2,2,3,3,1,2,1,3,3,1,1,3,2,1,3,1,2,2)
ck <- suppressWarnings(cohen.kappa(cbind(a, b)))
put("kappa nominal", c(ck$kappa, sqrt(ck$var.kappa)))
put("kappa quadratic", Kappa(table(a, b), weights = "Fleiss-Cohen")$Weighted)
v <- Kappa(table(a, b), weights = "Equal-Spacing"); put("kappa linear", v$Weighted)

# ICC on Shrout and Fleiss (1979), Table 2.
sf <- matrix(c(9,2,5,8, 6,1,3,2, 8,4,6,8, 7,1,2,6, 10,5,6,9, 6,2,4,7), ncol = 4, byrow = TRUE)
r <- suppressWarnings(suppressMessages(ICC(sf, lmer = FALSE)))$results
for (row in list(c("A,1", "ICC2"), c("A,k", "ICC2k"), c("C,1", "ICC3"), c("C,k", "ICC3k"))) {
  q <- r[r$type == row[2], ]; put(paste0("icc ", row[1]), c(q$ICC, q[["lower bound"]], q[["upper bound"]], q$p))
}

# Bradley-Terry as a logistic regression without intercept, strengths centred.
wins <- matrix(c(0, 7, 9, 5,  3, 0, 6, 6,  1, 4, 0, 3,  5, 4, 7, 0), 4, byrow = TRUE)
X <- NULL; Y <- NULL
for (i in 1:3) for (j in (i + 1):4) { d <- rep(0, 4); d[i] <- 1; d[j] <- -1; X <- rbind(X, d); Y <- rbind(Y, c(wins[i, j], wins[j, i])) }
g <- glm(Y ~ 0 + X[, 1:3], family = binomial, control = glm.control(epsilon = 1e-14)); th <- c(coef(g), 0); put("bradley_terry", th - mean(th))

# Bootstrap limits of a ratio of sums, from boot's own draws.
d <- data.frame(u = c(1, 0, 3, 2, 0, 1, 5, 0, 2, 1, 0, 4), n = c(5, 6, 7, 4, 5, 6, 8, 3, 5, 6, 4, 7))
ratio <- function(d, w) sum(d$u * w) / sum(d$n * w)
set.seed(1); bt <- boot(d, ratio, R = 99999, stype = "w")
ci <- boot.ci(bt, type = c("perc", "basic", "bca"))
put("boot percentile", ci$percent[4:5]); put("boot basic", ci$basic[4:5]); put("boot bca", ci$bca[4:5])

# Compact letters of five arms of which some pairs separate (order a..e).
pv <- c("a-b" = 1, "a-c" = 0.01, "a-d" = 0.01, "a-e" = 0.01, "b-c" = 1, "b-d" = 0.01, "b-e" = 0.01, "c-d" = 1, "c-e" = 0.01, "d-e" = 1)
letters_ <- multcompLetters(pv)$Letters

cat("{\n"); cat(sprintf('  "generator": "%s; boot %s, psych %s, vcd %s, multcompView %s",\n', R.version.string, packageVersion("boot"), packageVersion("psych"), packageVersion("vcd"), packageVersion("multcompView")))
cat(sprintf('  "date": "%s",\n', Sys.Date()))
cat(sprintf('  "tie letters": ["%s"],\n', paste(letters_, collapse = '", "')))
cat(paste(sprintf('  "%s": %s', names(rows), unlist(rows)), collapse = ",\n")); cat("\n}\n")
